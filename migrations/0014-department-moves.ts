import { type Kysely, sql } from 'kysely'

/** Departments whose tickets are being moved to another one, and postponed notifications of events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The actor is stored as the timelines will show them, whatever happens to the account.
  await sql`
    create table department_moves (
      department_id bigint primary key references departments on delete cascade,
      to_department_id bigint not null references departments check (to_department_id <> department_id),
      was_active boolean not null,
      actor_type text not null check (actor_type in ('client', 'staff', 'system')),
      actor_id bigint,
      actor_name text not null,
      ip_address varchar(45),
      request_id varchar(100),
      tickets_moved integer not null default 0,
      created_at timestamptz not null,
      worked_at timestamptz not null
    )`.execute(db)
  await sql`create index department_moves_to_index on department_moves (to_department_id)`.execute(db)

  await sql`alter table ticket_events add postponed_to timestamptz`.execute(db)
}
