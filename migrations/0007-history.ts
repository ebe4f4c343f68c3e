import { type Kysely, sql } from 'kysely'

/** The timeline of a ticket, and the audit log, whose rows are chained by their hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_events (
      id bigint generated always as identity primary key,
      ticket_id bigint not null references tickets on delete cascade,
      kind varchar(50) not null,
      actor_type text not null check (actor_type in ('client', 'staff', 'system')),
      actor_id bigint,
      actor_name varchar(210) not null,
      before json,
      after json,
      ip_address varchar(45),
      request_id varchar(100),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index ticket_events_ticket_index on ticket_events (ticket_id, id)`.execute(db)

  // There are no foreign keys, since entries outlive the rows that they are about. A json column, unlike jsonb, keeps the exact text that was hashed.
  await sql`
    create table audit_log (
      id bigint primary key,
      action varchar(60) not null,
      actor_type text not null check (actor_type in ('client', 'staff', 'system')),
      actor_id bigint,
      actor_name varchar(210) not null,
      target_type varchar(30) not null,
      target_id bigint,
      before json,
      after json,
      ip_address varchar(45),
      request_id varchar(100),
      created_at timestamptz not null,
      previous_hash char(43) not null,
      hash char(43) not null
    )`.execute(db)
  await sql`create index audit_log_actor_index on audit_log (actor_type, actor_id, id desc)`.execute(db)
  await sql`create index audit_log_target_index on audit_log (target_type, target_id, id desc)`.execute(db)
  await sql`create index audit_log_action_index on audit_log (action, id desc)`.execute(db)
  await sql`create index audit_log_created_index on audit_log (created_at)`.execute(db)

  // The end of the chain with a keyed digest, which reveals a truncated chain. Writers also lock this row, one after the other.
  await sql`
    create table audit_head (
      only_row boolean primary key default true check (only_row),
      last_id bigint not null,
      last_hash char(43) not null,
      seal char(43) not null
    )`.execute(db)
}
