import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false

export const oldestCode = '0002-search'

/** The mail log by the check of the sender and what became of the e-mail, of which each pair is a range of its own; and by whole addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'mail_log_verdict_outcome',
    sql`mail_log (verdict, direction, outcome, id) where verdict is not null`
  )
  await makeIndex(
    db,
    'mail_log_addresses',
    sql`mail_log using gin (string_to_array(lower(coalesce(sender, '') || e'\\n' || recipients), e'\\n'))`
  )
  await sql`drop index if exists mail_log_verdict`.execute(db)
}
