import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** What people without a login answered in the form of a department, until they confirm their ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Values of custom fields by their keys, as they were sent.
  await sql`alter table unconfirmed_tickets add column fields json default '{}' not null`.execute(db)
}
