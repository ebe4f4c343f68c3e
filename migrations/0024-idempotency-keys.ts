import { type Kysely, sql } from 'kysely'

/** Older code accepts no keys, and backs the table up like every table. */
export const oldestCode = '0021-installation'

/**
 * The responses to requests with an idempotency key, for a day, each written by the transaction of its request. `people` has the accounts
 * that a row is about, such as {client:7,staff:3}: the caller, and those whose data are in the response.
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
