import { type Db, prepared } from '../../core/db.ts'

/** The state of the reports, locked until the transaction ends: facts and days are written by one at a time. */
export async function lockReports(db: Db) {
  const [state] = await locked(db, {})
  return state!
}

const columns = ['zone', 'filled_up_to', 'filled', 'to_fill', 'filling_since', 'version'] as const

const locked = prepared(db => db.selectFrom('report_state').select(columns).forUpdate())

export async function reportState(db: Db) {
  const [state] = await stateOf(db, {})
  return state!
}

const stateOf = prepared(db => db.selectFrom('report_state').select(columns))
