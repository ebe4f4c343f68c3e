import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Tickets of which staff say that there ought to be an article. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kb_wanted (
      ticket_id bigint primary key references tickets on delete cascade,
      staff_id bigint references staff on delete set null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index kb_wanted_staff_index on kb_wanted (staff_id)`.execute(db)
}
