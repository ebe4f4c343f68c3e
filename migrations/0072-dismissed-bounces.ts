import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** E-mails that came back and of which staff have said that it is known; the queue does not show them any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sent_emails add column dismissed_at timestamptz`.execute(db)
}
