import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Refresh tokens with which providers have replaced configured ones, each by the digest of the configured token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mailbox_tokens (
      configured_sha256 text primary key,
      sealed_token text not null,
      replaced_at timestamptz not null
    )`.execute(db)
}
