import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Staff are present at articles as at tickets. Processes of before find no ticket in these rows, and tell nobody of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table presences
      drop constraint presences_pkey,
      alter column ticket_id drop not null,
      add column article_id bigint,
      add unique (staff_id, ticket_id),
      add unique (staff_id, article_id),
      add check (num_nonnulls(ticket_id, article_id) = 1)`.execute(db)
}
