import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Db, transactionOnce } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { analyze, sequencesOf, type TableShape, tablesOf } from '../../platform/db/catalogue.ts'
import { copyRowsIn, copyRowsOut, makeRowsDigest, type RowsDigest, rowsDigestOf } from '../../platform/db/copy.ts'
import { type OneConnection, openOneConnection } from '../../platform/db/one-connection.ts'
import { executedMigrations } from '../../platform/db/schema-state.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { FilesDigest } from './archive.ts'
import type { Original } from './back-up.ts'
import { completeImport, recreateSchema, refuseUnlessEmpty, type SourceSchema } from './database-import.ts'
import { makeFilesDigest } from './files-digest.ts'
import type { Destination } from './restore.ts'

export interface Moved {
  rows: number
  /** An earlier move had already copied the rows. */
  wereThere: boolean
  /** The result for the files, if they were moved. */
  files?: MovedFiles
}

/** Files that were copied, and how many an earlier, interrupted move had already copied. */
type MovedFiles = FilesDigest & { thereAlready: number }

export interface MoveOptions {
  /** The destination of files, if they move. */
  filesTo?: FileStore
  tell?: (text: string) => void
}

/**
 * Copies an installation that nobody uses to another database: files first, if they move, then all rows in one transaction, verified table by
 * table. The original is not changed. It can be repeated after an interruption: files that are there are not copied again, and rows are copied
 * all or none. Throws `DatabaseImportFault`, or the error of either side.
 */
export async function move(
  { services: { files }, connection }: Original,
  destination: Omit<Destination, 'files'>,
  { filesTo, tell }: MoveOptions = {}
): Promise<Moved> {
  const from = await openOneConnection<Tables>(connection)
  try {
    const to = await openOneConnection<Tables>(destination.connection)
    try {
      return await snapshotOf(from, async (original, shape) => {
        const there = await rowsThere(from, shape, to, destination.name)
        const moved = filesTo && (await copyFiles(original, files, filesTo, tell))
        const rows = there ?? (await copyRows(from, shape, to, destination, tell))
        return { rows, wereThere: there !== undefined, files: moved }
      })
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

type WholeShape = SourceSchema & { tables: TableShape[] }

/** Runs `work` while nobody can write to the database. */
async function snapshotOf<T>(
  { db }: OneConnection<Tables>,
  work: (db: Db, shape: WholeShape) => Promise<T>
): Promise<T> {
  const tables = await tablesOf(db)
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async db => {
      await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in share mode`.execute(db)
      return await work(db, { migrations: await executedMigrations(db), tables, sequences: await sequencesOf(db) })
    })
}

async function copyRows(
  from: OneConnection<Tables>,
  shape: WholeShape,
  to: OneConnection<Tables>,
  { jobs, arrival }: Pick<Destination, 'jobs' | 'arrival'>,
  tell: MoveOptions['tell']
): Promise<number> {
  await jobs.install()
  const tallies: Record<string, RowsDigest> = {}
  await transactionOnce(to.db, async db => {
    await recreateSchema(db, shape)
    for (const table of shape.tables) {
      tell?.(`rows of ${table.name}`)
      const tally = makeRowsDigest()
      await copyRowsIn(to, table, passing(copyRowsOut(from, table), tally.add))
      tallies[table.name] = tally.tally()
    }
    tell?.('verifying')
    await completeImport(to, db, jobs, shape, tallies, arrival)
  })
  await analyze(to.db)
  return rowsOf(tallies)
}

/**
 * Undefined if the destination is empty; the number of rows if it has all of them, as after a move that was interrupted right after its commit.
 * Throws `DatabaseImportFault` if it has others.
 */
async function rowsThere(
  from: OneConnection<Tables>,
  shape: WholeShape,
  to: OneConnection<Tables>,
  name: string
): Promise<number | undefined> {
  try {
    await refuseUnlessEmpty(to, to.db, name)
    return undefined
  } catch (error) {
    if (!isDeepStrictEqual(await executedMigrations(to.db), shape.migrations)) throw error
    const tallies: Record<string, RowsDigest> = {}
    for (const table of shape.tables) {
      const tally = await rowsDigestOf(from, table)
      // At the destination e-mails were queued again, the installation has another id, and its event log no gaps.
      if (
        !['outbox_messages', 'installation', 'event_sequencer'].includes(table.name) &&
        !isDeepStrictEqual(tally, await rowsDigestOf(to, table))
      )
        throw error
      tallies[table.name] = tally
    }
    return rowsOf(tallies)
  }
}

async function copyFiles(db: Db, from: FileStore, to: FileStore, tell: MoveOptions['tell']): Promise<MovedFiles> {
  const tally = makeFilesDigest()
  let thereAlready = 0
  let number = 0
  for await (const { file_path: path, file_size, sha256 } of namedFiles(db)) {
    number++
    tell?.(`files: ${number}`)
    const there = await to.open(path)
    there?.stream.destroy()
    if (there?.sizeBytes === file_size) {
      thereAlready++
      continue
    }
    const opened = await from.open(path)
    if (!opened) {
      tally.missing(path)
      continue
    }
    const stored = await to.restore(path, opened.stream)
    tally.add({ path, sizeBytes: stored.fileSizeBytes, sha256: stored.sha256 })
    if (stored.sha256 !== sha256) tally.damaged(path)
  }
  return { ...tally.tally(), thereAlready }
}

async function* namedFiles(db: Db) {
  for (let last = 0; ; ) {
    const batch = await db
      .selectFrom('ticket_attachments')
      .where('id', '>', last)
      .select(['id', 'file_path', 'file_size', 'sha256'])
      .orderBy('id')
      .limit(500)
      .execute()
    yield* batch
    if (batch.length === 0) return
    last = batch.at(-1)!.id
  }
}

async function* passing(chunks: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    see(chunk)
    yield chunk
  }
}

function rowsOf(tallies: Record<string, RowsDigest>): number {
  return Object.values(tallies).reduce((sum, { rows }) => sum + rows, 0)
}
