import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type JobRunner, openJobs } from '../../src/core/jobs.ts'
import type { Destination } from '../../src/operation/backup/restore.ts'
import { diskFileStore } from '../../src/platform/files/disk.ts'
import type { FileStore } from '../../src/platform/files/file-store.ts'
import type { FileOwner } from '../../src/platform/files/sweep.ts'
import { quiet, type TestDatabase, testDatabase } from './database.ts'
import type { Desk } from './desk.ts'
import { aFileOwner } from './file-owner.ts'
import { aClient } from './people.ts'
import { aFile, aTicket } from './tickets.ts'

/** An empty folder that is removed after the tests. */
export async function aTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-backup-test-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type EmptyDestination = Destination & { jobs: JobRunner; database: TestDatabase; dataDir: string; owner: FileOwner }

/** A new installation, or a database that was never migrated; its files are below `folder`. */
export async function anEmptyDestination(folder: string, { migrated = true } = {}): Promise<EmptyDestination> {
  const database = await testDatabase({ connections: 4, migrated })
  const { connection } = database
  const dataDir = await mkdtemp(join(folder, 'place-'))
  const jobs = openJobs({ connection, log: quiet })
  const owner = aFileOwner()
  const arrival = { id: owner.id, location: 'here', isMoved: false }
  const files = diskFileStore(dataDir, owner)
  return { name: 'The database', connection, database, dataDir, jobs, files, arrival, owner }
}

/** Runs a statement on a connection that is not Deskline's. */
export async function runQuery(connection: Destination['connection'], statement: string) {
  const client = new pg.Client(typeof connection === 'string' ? { connectionString: connection } : { ...connection })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** The number of rows in each table, except those that a crash may empty. */
export async function rowCountsOf(connection: Destination['connection']): Promise<Record<string, number>> {
  const rows = await runQuery(
    connection,
    `select relname as table, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from public.%I', relname), false, true, '')))[1]::text::int as rows
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1`
  )
  return Object.fromEntries(rows.map(row => [row.table, row.rows]))
}

/** A ticket with one file whose creation was confirmed. */
export interface ConfirmedTicket {
  id: number
  path: string
  sha256: string
}

/** Four clients who open tickets with files, one after the other, until `stop`; `written` are the confirmed ones. */
export async function openTicketsUntilStopped(desk: Desk) {
  const written: ConfirmedTicket[] = []
  let isOver = false
  let wake = () => {}
  const clients = await Promise.all(Array.from({ length: 4 }, () => aClient(desk)))
  const writing = clients.map(async client => {
    while (!isOver) {
      const content = randomBytes(1 + Math.floor(Math.random() * 100_000))
      const ticket = await aTicket(desk, client, {}, [aFile('noise.zip', content)])
      written.push({ id: ticket.ticket_id, path: ticket.attachments[0].file_path, sha256: sha256(content) })
      wake()
    }
  })
  return {
    written,
    async until(count: number) {
      while (written.length < count) await new Promise<void>(resolve => (wake = resolve))
    },
    async stop() {
      isOver = true
      await Promise.all(writing)
    }
  }
}

export async function digestOf(files: FileStore, path: string): Promise<string | undefined> {
  const opened = await files.open(path)
  if (!opened) return undefined
  const hash = createHash('sha256')
  for await (const chunk of opened.stream) hash.update(chunk)
  return hash.digest('hex')
}

/** Every file of a disk store, including unfinished ones, except the owner's marker. */
export async function filesBelow(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile() && entry.name !== '.installation')
    .map(entry => join(entry.parentPath, entry.name))
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
