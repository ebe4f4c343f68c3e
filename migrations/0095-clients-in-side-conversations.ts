import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Where a client has got to know of a side conversation: by a copy of an e-mail of the third party, and by writing to its address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table side_messages add column copies_client boolean default false not null`.execute(db)
  await sql`alter table side_conversations add column client_message_ids bigint[] default '{}' not null`.execute(db)
}
