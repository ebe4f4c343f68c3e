import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** How sure it was who had written the mail by which somebody follows a ticket. Code from before leaves it empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_followers
      add sender_verdict text check (sender_verdict in ('pass', 'fail', 'none', 'unknown'))`.execute(db)
}
