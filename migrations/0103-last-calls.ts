import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Who made a service account, and its last calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table staff add column created_by bigint references staff on delete set null`.execute(db)
  await sql`
    update staff set created_by = creator.id
    from audit_log join staff as creator on creator.id = audit_log.actor_id
    where staff.is_service_account and audit_log.action = 'service_account.created'
      and audit_log.actor_type = 'staff' and audit_log.target_type = 'staff' and audit_log.target_id = staff.id`.execute(
    db
  )
  await sql`create index staff_created_by_index on staff (created_by) where created_by is not null`.execute(db)
  await sql`
    create table service_account_calls (
      id bigint generated always as identity primary key,
      staff_id bigint not null references staff on delete cascade,
      token_name varchar(60) not null,
      path varchar(200) not null,
      status smallint not null,
      is_refused boolean not null,
      -- Why it failed, as the answer said.
      reason varchar(60),
      -- Any of these permissions would have done.
      missing text[],
      network varchar(45) not null,
      at timestamptz not null
    )`.execute(db)
  await sql`create index service_account_calls_index on service_account_calls (staff_id, is_refused, id desc)`.execute(
    db
  )
  await sql`create index service_account_calls_at_index on service_account_calls (at)`.execute(db)
  await sql`
    create table service_account_days (
      staff_id bigint references staff on delete cascade,
      day date,
      calls bigint not null,
      refused bigint not null,
      primary key (staff_id, day)
    )`.execute(db)
}
