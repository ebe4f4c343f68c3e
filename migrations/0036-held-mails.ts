import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Why a mail was held, for when it is held no longer; and blocked senders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table inbound_mails add held_reason text`.execute(db)

  // `sender` is an address in lower case, or an @ and a domain.
  await sql`
    create table blocked_senders (
      id bigint generated always as identity primary key,
      sender varchar(255) not null unique check (sender = lower(sender) and sender like '%@%'),
      blocked_by bigint references staff on delete set null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index blocked_senders_staff_index on blocked_senders (blocked_by)`.execute(db)
}
