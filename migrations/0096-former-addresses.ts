import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** The addresses that were deleted, and which one answers in the tickets that came to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table former_addresses (
      address_key text primary key,
      answers_from text not null,
      created_at timestamptz not null
    )`.execute(db)
}
