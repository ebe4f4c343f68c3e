import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { migrations } from '../migrations/index.ts'
import { openJobs } from '../src/core/jobs.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { openDatabase } from '../src/platform/db/open.ts'
import { makeLog } from '../src/platform/log.ts'
import { makePasswords } from '../src/platform/secrets/passwords.ts'
import { scaleOf } from './fill-scale.ts'
import {
  finishingStatements,
  insertAccounts,
  insertTextPools,
  tables,
  ticketStatements,
  verifyCounts,
  wordsFromPool
} from './fill-statements.ts'
import { indexesAndForeignKeysOf } from './indexes-and-foreign-keys.ts'
import { sampleTexts } from './sample-texts.ts'

/** The password of every account in a filled database. */
export const password = 'bench-password'

const parallelConnections = 2
const chunkTickets = 20_000
const tuning = '-c synchronous_commit=off -c jit=off -c maintenance_work_mem=512MB -c work_mem=256MB'

/** Migrates an empty database to the newest schema. */
export async function migrateDatabase(url: string): Promise<void> {
  const log = makeLog('silent')
  const { db, close } = openDatabase({
    connection: url,
    maxConnections: 2,
    statementTimeoutMilliseconds: 0,
    connectTimeoutMilliseconds: 10_000,
    onIdleError() {}
  })
  try {
    await migrate(db, migrations)
    await openJobs({ connection: url, log }).install()
  } finally {
    await close()
  }
}

/**
 * Fills a migrated, empty database with this many tickets of five messages on average, with their search words, events, tags, notes and
 * accounts. The distribution is as uneven as in practice: some clients have ten thousand tickets, some threads a thousand messages. Foreign
 * keys and secondary indexes are created after the rows, and the counters are verified at the end. The same size gives the same rows.
 */
export async function fill(url: string, tickets: number, progress: (done: string) => void): Promise<void> {
  const clients = await Promise.all(Array.from({ length: parallelConnections }, () => connect(url)))
  const [first] = clients as [pg.Client]
  const scale = scaleOf(tickets)
  try {
    const { indexes, references } = await indexesAndForeignKeysOf(first, tables)
    for (const { drop } of [...references, ...indexes]) await first.query(drop)
    for (const table of tables) await first.query(`alter table ${table} disable trigger user`)

    await first.query('create unlogged table bench_texts (id integer primary key, text text not null, words tsvector)')
    await first.query('create unlogged table bench_subjects (id integer primary key, subject text not null)')
    await first.query(insertTextPools.subjects, [sampleTexts(2_000, 6, 1)])
    await first.query(insertTextPools.texts, [sampleTexts(scale.texts, 55, 2)])
    for (const statement of wordsFromPool) await first.query(statement)
    const passwordHash = await makePasswords().hash(password)
    for (const statement of insertAccounts(scale, passwordHash)) await first.query(statement)
    progress(`${scale.clients} clients`)

    const { plan, messages, add } = ticketStatements
    for (const statement of plan(scale)) await first.query(statement)
    const starts = Array.from({ length: Math.ceil(tickets / chunkTickets) }, (_, at) => at * chunkTickets)
    let done = 0
    await inParallel(clients, starts, async (client, start) => {
      const end = Math.min(start + chunkTickets, tickets)
      const { rows } = await client.query(messages, [start])
      for (const statement of add(start, end, Number(rows[0].before), scale)) await client.query(statement)
      done += end - start
      progress(`${done} of ${tickets} tickets`)
    })
    for (const statement of finishingStatements) await first.query(statement)
    await first.query(await readFile(join(import.meta.dirname, '../migrations/functions/search_words.sql'), 'utf8'))

    // The index that takes as long as all others together comes first.
    const largest = indexes.find(({ name }) => name === 'ticket_messages_words_index')!
    const others = indexes.filter(index => index !== largest)
    await inParallel(clients, [largest, ...others], async (client, { name, create }) => {
      await client.query(create)
      progress(`index ${name}`)
    })
    // Two at a time on one table would deadlock.
    for (const { create } of references) await first.query(create)
    for (const table of tables) await first.query(`alter table ${table} enable trigger user`)
    progress(`${references.length} references`)
    await inParallel(clients, tables, (client, table) => client.query(`vacuum (analyze) ${table}`).then(() => {}))
    await verifyCounts(first, scale)
    await first.query('checkpoint').catch(() => {})
    progress('counters are right')
  } finally {
    for (const client of clients) await client.end()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: tuning })
  await client.connect()
  return client
}

/** Distributes the work over the connections: each takes the next item when it has finished one. */
async function inParallel<T>(
  clients: pg.Client[],
  work: readonly T[],
  run: (client: pg.Client, item: T) => Promise<void>
) {
  const left = [...work]
  await Promise.all(
    clients.map(async client => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await run(client, item)
    })
  )
}
