import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Drafts of replies, which go with their writers to other machines; what stands below their e-mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_drafts (
      ticket_id bigint not null references tickets on delete cascade,
      staff_id bigint not null references staff on delete cascade,
      message text not null,
      recipients jsonb not null,
      version integer not null,
      updated_at timestamptz not null,
      primary key (ticket_id, staff_id)
    )`.execute(db)
  await sql`create index ticket_drafts_staff_index on ticket_drafts (staff_id)`.execute(db)
  await sql`create index ticket_drafts_updated_index on ticket_drafts (updated_at)`.execute(db)
  await sql`
    create table staff_signatures (
      staff_id bigint primary key references staff on delete cascade,
      texts jsonb not null,
      updated_at timestamptz not null
    )`.execute(db)
}
