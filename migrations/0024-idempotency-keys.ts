import { type Kysely, sql } from 'kysely'

/** Code from before takes no keys, and copies the table in backups as it copies every table. */
export const oldestCode = '0021-installation'

/**
 * What requests with an idempotency key were answered, for a day: written by the transaction that did what was asked for. `people` tells
 * whom a row is about, as in {client:7,staff:3}: who asked, and who is told of.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      scope text primary key,
      fingerprint text not null,
      sealed_answer text not null,
      people text[] not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index idempotency_keys_expires_at on idempotency_keys (expires_at)`.execute(db)
}
