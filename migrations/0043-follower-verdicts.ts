import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** The authentication verdict of the mail that made somebody a follower. Older code leaves it empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_followers
      add sender_verdict text check (sender_verdict in ('pass', 'fail', 'none', 'unknown'))`.execute(db)
}
