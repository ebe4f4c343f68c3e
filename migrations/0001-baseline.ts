import type { Kysely } from 'kysely'
import { createFunctions, runFiles } from './run-sql.ts'

const functions = [
  'count_clients',
  'count_tickets',
  'forget_recovery_codes',
  'keep_updated_at',
  'list_removed_files',
  'maintain_ticket',
  'raise_version',
  'recount_tickets',
  'scrub_events_of_tickets',
  'sum_up_ticket_counts',
  'sum_up_when_due',
  'take_event_stream',
  'ticket_number',
  'without_words'
]

/** All tables but those of the search, in the order of the domain. */
const tables = ['desk', 'people', 'sign-in', 'tickets', 'events', 'mail', 'attachments']

/** The schema of the first release. Later changes are migrations of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFunctions(db, functions)
  await runFiles(
    db,
    tables.map((name, at) => `baseline/0${at + 1}-${name}.sql`)
  )
}
