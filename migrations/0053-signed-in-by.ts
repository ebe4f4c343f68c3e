import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** How somebody signed in to open a session: what they see in the list of their sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column signed_in_by text default 'password' not null`.execute(db)
  // Not validated: it would read the whole table, in which nothing else can be yet.
  await sql`
    alter table sessions add constraint sessions_signed_in_by_check
      check (signed_in_by in ('password', 'code', 'passkey', 'provider', 'token')) not valid`.execute(db)
}
