import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { migrations } from '../../../migrations/index.ts'
import type { Db } from '../../core/db.ts'
import { forgetGaps } from '../../core/events/sequencer.ts'
import type { JobRunner } from '../../core/jobs.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { requeueOutbox } from '../../mail/outbox/requeue-outbox.ts'
import {
  allTables,
  dropAll,
  filledTables,
  finishRows,
  prepareForRows,
  type SequenceShape,
  sequencesOf,
  type TableShape,
  tablesOf
} from '../../platform/db/catalogue.ts'
import { type RowsDigest, rowsDigestOf } from '../../platform/db/copy.ts'
import { identifyImported } from '../../platform/db/installation-id.ts'
import { migrate, migrateTo } from '../../platform/db/migrate.ts'
import { type OneConnection, otherDesklines } from '../../platform/db/one-connection.ts'
import { executedMigrations } from '../../platform/db/schema-state.ts'
import { requeueScans } from '../../tickets/attachments/requeue-scans.ts'

/** The database cannot be filled. The message is one sentence for the operator. */
export class DatabaseImportFault extends Error {}

/** What must match between the source and the destination. */
export interface SourceSchema {
  migrations: string[]
  tables: Pick<TableShape, 'name' | 'columns'>[]
  sequences: SequenceShape[]
}

/** The installation that the rows belong to after the import. */
export interface ImportedInstallation {
  id: string
  location: string
  /** The original is no longer used: its files become this one's. */
  isMoved: boolean
}

/** What a new installation may contain: rows of migrations, and the first admin. */
const beginnings = [
  'audit_head',
  'audit_log',
  'calendar_weeks',
  'calendars',
  'desk_clock',
  'due_work_lease',
  'kysely_migration',
  'client_counts',
  'departments',
  'event_places',
  'event_readers',
  'event_sequencer',
  'events',
  'rate_limits',
  'sign_in_failures',
  'installation',
  'kb_state',
  'login_challenges',
  'permissions',
  'refresh_tokens',
  'schema_compatibility',
  'search_state',
  'sessions',
  // Derived from other tables.
  'client_ticket_changes',
  'client_words',
  'report_days',
  'report_state',
  'ticket_counts',
  'ticket_words'
]
const oneIsNothing = ['staff']

/** How long a server may take to end closed connections. */
const endingMilliseconds = 3_000

/** Throws `DatabaseImportFault` unless the database, called `name`, has nothing to lose and nobody uses it. */
export async function refuseUnlessEmpty(connection: OneConnection<Tables>, db: Db, name: string): Promise<void> {
  const tables = await allTables(db)
  if (tables.length > 0 && (await executedMigrations(db)).length === 0) {
    throw new DatabaseImportFault(
      `${name} has tables that are not Deskline's (${tables.join(', ')}): name an empty database.`
    )
  }
  const filled = await filledTables(db, beginnings, oneIsNothing)
  if (filled.length > 0) {
    throw new DatabaseImportFault(
      `${name} is not empty (${filled.join(', ')}): nothing was changed. Name an empty installation.`
    )
  }
  // Connections that were just closed, including our own, may still be listed while the server ends them.
  for (const deadline = Date.now() + endingMilliseconds; (await otherDesklines(connection)) > 0; await pause(50)) {
    if (Date.now() > deadline) throw new DatabaseImportFault(`A Deskline is at work on ${name}: stop it first.`)
  }
}

/**
 * Recreates the schema without rows, as it was after the migrations of the rows, within the transaction `db`: any later failure rolls it back.
 * Throws `DatabaseImportFault` if those migrations are not known here.
 */
export async function recreateSchema(db: Db, shape: SourceSchema): Promise<void> {
  refuseNewer(shape)
  await dropAll(db)
  await migrateTo(db, migrations, shape.migrations.at(-1)!)
  const tables = await tablesOf(db)
  const columns = (among: SourceSchema['tables']) =>
    Object.fromEntries(among.map(({ name, columns }) => [name, columns]))
  if (!isDeepStrictEqual(columns(tables), columns(shape.tables))) {
    throw new DatabaseImportFault('The tables are not what the migrations of this Deskline make of them.')
  }
  await prepareForRows(db, tables)
}

/** Throws `DatabaseImportFault` if the rows need migrations that this Deskline does not know. */
export function refuseNewer({ migrations: seen }: Pick<SourceSchema, 'migrations'>): void {
  const known = Object.keys(migrations)
  if (seen.length > 0 && isDeepStrictEqual(known.slice(0, seen.length), seen)) return
  throw new DatabaseImportFault(
    `The data comes from another version of Deskline (${seen.at(-1)}), which this one does not know: use that one, or a newer.`
  )
}

/**
 * Completes an import: reads the rows back and compares them with the expected ones, migrates to the newest schema, sets the installation's id,
 * and queues files for the scanner and pending e-mails, whose number it returns.
 */
export async function completeImport(
  connection: OneConnection<Tables>,
  db: Db,
  jobs: Pick<JobRunner, 'send' | 'clear'>,
  { sequences }: SourceSchema,
  expected: Record<string, RowsDigest>,
  arrival: ImportedInstallation
): Promise<number> {
  const tables = await tablesOf(db)
  await finishRows(db, tables, sequences)
  for (const table of tables) {
    if (isDeepStrictEqual(await rowsDigestOf(connection, table), expected[table.name])) continue
    throw new DatabaseImportFault(`The rows of ${table.name} are not what they were: nothing was changed.`)
  }
  if (!isDeepStrictEqual(await sequencesOf(db), sequences)) {
    throw new DatabaseImportFault('The sequences are not what they were: nothing was changed.')
  }
  await migrate(db, migrations)
  await forgetGaps(db)
  await identifyImported(db, arrival)
  await requeueScans(db, jobs)
  return await requeueOutbox(db, jobs)
}
