import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'
import { createFunctions } from './run-sql.ts'

export const inTransaction = false
export const oldestCode = '0002-search'

/** Facts are read from one index alone, and what reports have answered is known to be right until a fact or a day changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'ticket_facts_by_time',
    sql`ticket_facts (figure, at) include (value, seconds, open_seconds, department_id, staff_id, organisation_id, priority, channel,
      tag_ids, ticket_id)`
  )
  const concurrently = db.isTransaction ? sql`` : sql`concurrently`
  for (const former of ['ticket_facts_figure_index', 'ticket_facts_department_index'])
    await sql`drop index ${concurrently} if exists ${sql.ref(former)}`.execute(db)
  await sql`
    alter table report_state
      -- Raised with each change of facts or days.
      add column if not exists version bigint default 0 not null`.execute(db)
  await createFunctions(db, ['raise_report_version'])
  for (const table of ['ticket_facts', 'report_days'])
    await sql`
      create or replace trigger ${sql.ref(`${table}_version`)} after insert or update or delete or truncate on ${sql.ref(table)}
      for each statement execute function raise_report_version()`.execute(db)
}
