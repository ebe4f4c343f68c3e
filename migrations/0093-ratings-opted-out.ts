import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Whether a client wants to be asked how our help was, apart from the other automatic e-mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column rating_emails boolean default true not null`.execute(db)
}
