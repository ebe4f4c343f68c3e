import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { migrations } from '../../migrations/index.ts'
import { requeueScans } from '../attachments/requeue-scans.ts'
import type { Db } from '../db.ts'
import { forgetGaps } from '../events/sequencer.ts'
import type { JobRunner } from '../jobs.ts'
import { requeueOutbox } from '../outbox/requeue-outbox.ts'
import {
  allTables,
  dropAll,
  filledTables,
  readyForRows,
  rowsAreIn,
  type SequenceShape,
  sequencesOf,
  type TableShape,
  tablesOf
} from '../platform/db/catalogue.ts'
import { type Tally, tallyOf } from '../platform/db/copy.ts'
import { nameArrived } from '../platform/db/installation-id.ts'
import { migrate, migrateTo } from '../platform/db/migrate.ts'
import { type OneConnection, otherDesklines } from '../platform/db/one-connection.ts'
import { executedMigrations } from '../platform/db/schema-state.ts'
import type { Tables } from '../tables/tables.ts'

/** The database cannot be filled. The message is one sentence for the operator. */
export class FillFault extends Error {}

/** What rows were taken from, in so far as the database that takes them has to be like it. */
export interface Shape {
  migrations: string[]
  tables: Pick<TableShape, 'name' | 'columns'>[]
  sequences: SequenceShape[]
}

/** Which installation the rows are of once they have arrived. */
export interface Arrival {
  id: string
  location: string
  /** The original is given up: its files are those of this one. */
  isMoved: boolean
}

/** What an installation in which nobody has done anything yet may hold: what migrations bring, and the first admin. */
const beginnings = [
  'audit_head',
  'audit_log',
  'kysely_migration',
  'kysely_migration_lock',
  'client_counts',
  'departments',
  'event_places',
  'event_sequencer',
  'events',
  'guesses',
  'sign_in_failures',
  'installation',
  'login_challenges',
  'permissions',
  'refresh_tokens',
  'rewrites',
  'schema_compatibility',
  'search_places',
  'search_state',
  'sessions',
  // Words and counts of what is in other tables.
  'client_words',
  'message_words',
  'note_words',
  'searched_messages',
  'ticket_counts',
  'ticket_words'
]
const oneIsNothing = ['staff']

/** How long a server may take to end connections that were closed. */
const endingMilliseconds = 3_000

/** Throws `FillFault` unless the database, called `name`, holds nothing that would be lost, and nobody works on it. */
export async function refuseUnlessEmpty(connection: OneConnection<Tables>, db: Db, name: string): Promise<void> {
  const tables = await allTables(db)
  if (tables.length > 0 && (await executedMigrations(db)).length === 0) {
    throw new FillFault(`${name} has tables that are not Deskline's (${tables.join(', ')}): name an empty database.`)
  }
  const filled = await filledTables(db, beginnings, oneIsNothing)
  if (filled.length > 0) {
    throw new FillFault(`${name} is not empty (${filled.join(', ')}): nothing was changed. Name an empty installation.`)
  }
  // Connections that were closed a moment ago, our own among them, may still be listed while the server ends them.
  for (const deadline = Date.now() + endingMilliseconds; (await otherDesklines(connection)) > 0; await pause(50)) {
    if (Date.now() > deadline) throw new FillFault(`A Deskline is at work on ${name}: stop it first.`)
  }
}

/**
 * Makes the schema anew, as it was after the migrations that the rows have seen, and without rows. Within the transaction `db`:
 * whatever fails later, the database is as it was. Throws `FillFault` where those migrations are not known here.
 */
export async function makeRoomFor(db: Db, shape: Shape): Promise<void> {
  refuseNewer(shape)
  await dropAll(db)
  await migrateTo(db, migrations, shape.migrations.at(-1)!)
  const tables = await tablesOf(db)
  const columns = (among: Shape['tables']) => Object.fromEntries(among.map(({ name, columns }) => [name, columns]))
  if (!isDeepStrictEqual(columns(tables), columns(shape.tables))) {
    throw new FillFault('The tables are not what the migrations of this Deskline make of them.')
  }
  await readyForRows(db, tables)
}

/** Throws `FillFault` when rows have seen migrations that this Deskline does not know. */
export function refuseNewer({ migrations: seen }: Pick<Shape, 'migrations'>): void {
  const known = Object.keys(migrations)
  if (seen.length > 0 && isDeepStrictEqual(known.slice(0, seen.length), seen)) return
  throw new FillFault(
    `The data comes from another version of Deskline (${seen.at(-1)}), which this one does not know: use that one, or a newer.`
  )
}

/**
 * Ends what `makeRoomFor` began once the rows are in: reads them back and compares them with what was expected, brings the schema to
 * the newest, names the installation, and queues what waits: files for the scanner, and e-mails, whose number is answered.
 */
export async function settle(
  connection: OneConnection<Tables>,
  db: Db,
  jobs: Pick<JobRunner, 'send' | 'clear'>,
  { sequences }: Shape,
  expected: Record<string, Tally>,
  arrival: Arrival
): Promise<number> {
  const tables = await tablesOf(db)
  await rowsAreIn(db, tables, sequences)
  for (const table of tables) {
    if (isDeepStrictEqual(await tallyOf(connection, table), expected[table.name])) continue
    throw new FillFault(`The rows of ${table.name} are not what they were: nothing was changed.`)
  }
  if (!isDeepStrictEqual(await sequencesOf(db), sequences)) {
    throw new FillFault('The sequences are not what they were: nothing was changed.')
  }
  await migrate(db, migrations)
  await forgetGaps(db)
  await nameArrived(db, arrival)
  await requeueScans(db, jobs)
  return await requeueOutbox(db, jobs)
}
