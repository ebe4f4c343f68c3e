import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { RuleRun } from './rule-runs.ts'

/** The same runs, each with the number and the subject of its ticket. */
export async function withTickets<Run extends Pick<RuleRun, 'ticket_id'>>(db: Db, runs: readonly Run[]) {
  const ids = [...new Set(runs.map(({ ticket_id }) => ticket_id))]
  const tickets = new Map((await ticketsOf(db, { ids })).map(({ id, ...ticket }) => [id, ticket]))
  // A ticket that is gone takes its runs along.
  return runs.flatMap(run => {
    const ticket = tickets.get(run.ticket_id)
    return ticket ? [{ ...run, ...ticket }] : []
  })
}

const ticketsOf = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'ticket_number', 'subject'])
)
