import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** API tokens of people, and service accounts: members of staff who are programs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_tokens (
      -- Of the session by which it acts, and with which it ends.
      id bigint primary key references sessions on delete cascade,
      name varchar(60) not null check (name <> ''),
      digest char(43) not null unique,
      last_four char(4) not null,
      -- Null: all that its owner may.
      permissions text[],
      -- By their own ids. Null: all of its owner's.
      departments bigint[],
      is_read_only boolean not null,
      expires_at timestamptz,
      -- Who made it, if not its owner. They may be gone.
      created_by bigint,
      last_used_on date,
      last_used_network varchar(45)
    )`.execute(db)
  await sql`alter table staff add column is_service_account boolean default false not null`.execute(db)
  await sql`alter table staff add column purpose varchar(255)`.execute(db)
  // A program has one name.
  await sql`alter table staff drop constraint staff_last_name_check`.execute(db)
  await sql`
    alter table staff add constraint staff_last_name_check check (last_name <> '' or is_service_account)`.execute(db)
}
