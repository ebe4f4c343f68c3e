import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import manifest from '../../../package.json' with { type: 'json' }
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { type ArchiveWriter, archiveWriter } from '../../lib/write-archive.ts'
import { sequencesOf, tablesOf } from '../../platform/db/catalogue.ts'
import { copyLinesOut, copyRowsOut, inChunks, makeRowsDigest, type RowsDigest } from '../../platform/db/copy.ts'
import { storedInstallationId } from '../../platform/db/installation-id.ts'
import { type OneConnection, openOneConnection } from '../../platform/db/one-connection.ts'
import type { DatabaseOptions } from '../../platform/db/open.ts'
import { executedMigrations } from '../../platform/db/schema-state.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { type Digests, digestsName, formatVersion, keyName, type Manifest, manifestName, rowsName } from './archive.ts'
import { makeFilesDigest, type NamedFile } from './files-digest.ts'
import { fingerprintsOf } from './secrets.ts'

const pieceBytes = 1024 * 1024
/** So many files are read at the same time, since a store on the network takes longer to begin than to send a small file. */
const filesAtOnce = 8
/** Larger files are read when it is their turn in the archive, one at a time and in pieces. */
const smallBytes = 1024 * 1024

/** The installation to back up, which may be running. */
export interface Original {
  services: Pick<Services, 'keys' | 'files' | 'clock'>
  connection: DatabaseOptions['connection']
}

export interface BackUpOptions {
  /** The secret of the key file, to be stored with the data that it decrypts. */
  key?: string
  /** Called with the progress. */
  tell?: (text: string) => void
}

/**
 * Writes all rows and files of an installation to one archive, from one snapshot, in constant memory, while the service runs. A file deleted
 * meanwhile is left out; one that is missing or damaged is reported in the digests. Throws errors of the database, the file store or `target`,
 * which is then destroyed.
 */
export async function backUp(original: Original, target: Writable, options: BackUpOptions = {}): Promise<Digests> {
  const archive = archiveWriter(target, original.services.clock.now())
  const folder = await mkdtemp(join(tmpdir(), 'deskline-backup-'))
  const list = join(folder, 'files')
  let connection: OneConnection<Tables> | undefined
  try {
    connection = await openOneConnection<Tables>(original.connection)
    const { tables, fileCount } = await rowsOf(original, connection, archive, list, options)
    const files = await filesOf(original, connection.db, archive, { list, fileCount }, options)
    const digests = { tables, files }
    await archive.add(digestsName, JSON.stringify(digests, null, 1))
    await archive.finish()
    return digests
  } catch (error) {
    await archive.abort(error as Error)
    throw error
  } finally {
    await connection?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the manifest and all rows from one snapshot, and the list of their files to `list`. */
async function rowsOf(
  { services }: Original,
  connection: OneConnection<Tables>,
  archive: ArchiveWriter,
  list: string,
  { key, tell }: BackUpOptions
): Promise<{ tables: Record<string, RowsDigest>; fileCount: number }> {
  const snapshot = connection.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await snapshot.execute(async db => {
    const shape = await manifestOf(db, services)
    await archive.add(manifestName, JSON.stringify(shape, null, 1))
    if (key) await archive.add(keyName, `${key}\n`)

    const tallies: Record<string, RowsDigest> = {}
    for (const table of shape.tables) {
      tell?.(`rows of ${table.name}`)
      const tally = makeRowsDigest()
      let number = 0
      for await (const piece of inChunks(copyRowsOut(connection, table), pieceBytes)) {
        tally.add(piece)
        await archive.add(rowsName(table.name, ++number), piece)
      }
      tallies[table.name] = tally.tally()
    }

    // Stored in a file, so that the snapshot does not stay open, which would block vacuum, while files are copied.
    const named = copyLinesOut(connection, 'select file_path, file_size, sha256 from ticket_attachments order by id')
    await pipeline(named, createWriteStream(list, { mode: 0o600 }))
    return { tables: tallies, fileCount: tallies.ticket_attachments?.rows ?? 0 }
  })
}

async function manifestOf(db: Db, { keys, clock }: Original['services']): Promise<Manifest> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  return {
    format: formatVersion,
    product: 'deskline',
    version: manifest.version,
    createdAt: clock.now().toISOString(),
    postgres: rows[0]!.version.split(' ')[0]!,
    migrations: await executedMigrations(db),
    secrets: fingerprintsOf(keys),
    ...(await idsOf(db)),
    tables: await tablesOf(db),
    // Read after the snapshot was taken, so that they are beyond every row in it.
    sequences: await sequencesOf(db)
  }
}

/** Empty if the schema is older than ids. */
async function idsOf(db: Db): Promise<Pick<Manifest, 'installation'>> {
  const { rows } = await sql<{ name: string | null }>`select to_regclass('installation') as name`.execute(db)
  if (!rows[0]?.name) return {}
  const { id, formerIds } = await storedInstallationId(db)
  return { installation: [id, ...formerIds] }
}

async function filesOf(
  { services: { files } }: Original,
  db: Db,
  archive: ArchiveWriter,
  { list, fileCount }: { list: string; fileCount: number },
  { tell }: BackUpOptions
): Promise<Digests['files']> {
  const tally = makeFilesDigest()
  let done = 0
  const prepared = ahead(filesIn(list), filesAtOnce, async named => ({ named, read: await begin(files, named) }))
  for await (const { named, read } of prepared) {
    done++
    tell?.(`files: ${done} of ${fileCount}`)
    const opened = await read()
    if (!opened) {
      if (await isNamed(db, named.path)) tally.missing(named.path)
      continue
    }
    const hash = createHash('sha256')
    const digested = async function* () {
      for await (const chunk of opened.content) {
        hash.update(chunk)
        yield chunk as Buffer
      }
    }
    await archive.addStream(named.path.slice(1), opened.sizeBytes, digested())
    const found = { path: named.path, sizeBytes: opened.sizeBytes, sha256: hash.digest('hex') }
    tally.add(found)
    if (found.sizeBytes !== named.sizeBytes || found.sha256 !== named.sha256) tally.damaged(named.path)
  }
  return tally.tally()
}

interface OpenedFile {
  sizeBytes: number
  content: AsyncIterable<Buffer> | Iterable<Buffer>
}

/** Reads a small file now, and another one when it is its turn; undefined for a file that is not there. */
async function begin(files: FileStore, named: NamedFile): Promise<() => Promise<OpenedFile | undefined>> {
  const open = async () => {
    const opened = await files.open(named.path)
    return opened && { sizeBytes: opened.sizeBytes, content: opened.stream }
  }
  if (named.sizeBytes > smallBytes) return open
  const opened = await open()
  if (!opened || opened.sizeBytes > smallBytes) return async () => opened
  const content = await buffer(opened.content)
  return async () => ({ sizeBytes: opened.sizeBytes, content: [content] })
}

/** The results in the order of the items, of which up to `count` are worked on at the same time. */
async function* ahead<T, R>(items: AsyncIterable<T>, count: number, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  for await (const item of items) {
    const result = work(item)
    // A failure is thrown when it is its turn.
    result.catch(() => {})
    begun.push(result)
    if (begun.length === count) yield await begun.shift()!
  }
  for (const result of begun) yield await result
}

async function* filesIn(list: string): AsyncGenerator<NamedFile> {
  for await (const line of createInterface({ input: createReadStream(list, 'utf8'), crlfDelay: Infinity })) {
    const [path, size, sha256] = line.split('\t') as [string, string, string]
    yield { path, sizeBytes: Number(size), sha256 }
  }
}

async function isNamed(db: Db, path: string): Promise<boolean> {
  const row = await db.selectFrom('ticket_attachments').where('file_path', '=', path).select('id').executeTakeFirst()
  return row !== undefined
}
