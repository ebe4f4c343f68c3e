import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Formatted messages and notes: the sanitised HTML of a text that was written in Markdown. Plain ones have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_messages add column formatted_html text`.execute(db)
  await sql`alter table ticket_notes add column formatted_html text`.execute(db)
}
