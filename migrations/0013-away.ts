import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Staff who are away, and whose turn it is where the members of a department get tickets in turn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table staff add column away_until timestamptz`.execute(db)
  await sql`
    create table round_robins (
      department_id bigint primary key references departments on delete cascade,
      -- Who was last: the next one has a greater id, or the least of all. They may be gone.
      last_id bigint not null
    )`.execute(db)
}
