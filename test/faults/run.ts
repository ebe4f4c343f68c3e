import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { brokenInstallation, misfittingDatabase } from './broken-installations.ts'
import { databaseAway } from './database-away.ts'
import { fullDatabase, fullDataFolder, fullUploads } from './full-disk.ts'
import { killBoth, killDatabase, killService } from './kill.ts'
import { mailsAndFullDisk, mailsAndKills } from './mails.ts'
import { readOnlyDatabase } from './read-only-database.ts'
import { secondProcess } from './second-process.ts'
import { silentDatabase } from './silent-database.ts'
import { Skipped } from './skipped.ts'
import { slowClients } from './slow-clients.ts'
import { stopInFlight } from './stop-in-flight.ts'
import { embeddedWorld, servedWorld, type World } from './worlds.ts'

interface Fault {
  name: string
  /** Answers the figures. */
  play(world: World, rounds: number): Promise<string>
  /** How often in the long form, and in the short one that every check runs, which has its own number for each world. */
  long: number
  short: Partial<Record<World['name'], number>>
  /** Where it is played; in both worlds when not said. */
  world?: World['name']
}

const faults: Fault[] = [
  { name: 'kill -9 of the service', play: killService, long: 20, short: { embedded: 2, served: 1 } },
  { name: 'kill -9 of the database', play: killDatabase, long: 18, short: { embedded: 1, served: 1 } },
  { name: 'kill -9 of both', play: killBoth, long: 16, short: { embedded: 1 } },
  { name: 'kill -9 while e-mails come in', play: mailsAndKills, long: 5, short: { embedded: 1 } },
  { name: 'a full disk while e-mails come in', play: mailsAndFullDisk, long: 1, short: { embedded: 1 } },
  { name: 'SIGTERM with 50 requests in flight', play: stopInFlight, long: 5, short: { embedded: 1 } },
  { name: 'clients that send a byte a second', play: slowClients, long: 3, short: {}, world: 'embedded' },
  { name: 'two processes on one data folder', play: secondProcess, long: 5, short: { embedded: 1 }, world: 'embedded' },
  { name: 'the database goes away and comes back', play: databaseAway, long: 5, short: { served: 1 }, world: 'served' },
  { name: 'the database takes no writes', play: readOnlyDatabase, long: 5, short: { served: 1 } },
  { name: 'the database falls silent', play: silentDatabase, long: 3, short: {}, world: 'served' },
  { name: 'a damaged installation', play: brokenInstallation, long: 100, short: { embedded: 2 }, world: 'embedded' },
  { name: 'a database that does not fit', play: misfittingDatabase, long: 1, short: {}, world: 'served' },
  { name: 'a full disk of uploads', play: fullUploads, long: 1, short: {} },
  { name: 'a full disk', play: fullDataFolder, long: 1, short: { embedded: 1 }, world: 'embedded' },
  { name: 'a full disk of the database', play: fullDatabase, long: 1, short: {}, world: 'served' }
]

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    served: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' }
  }
})

// What was started and mounted is taken away at the exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

// Most of the time is spent waiting, so both worlds are played at once.
const server = process.env.DATABASE_URL || (await startPostgres({ durable: true }))
if (!server) console.log('--  on a served database: none is installed here and DATABASE_URL is not set')
const worlds = [...(options.served ? [] : [embeddedWorld()]), ...(server ? [servedWorld(server)] : [])]
const played = await Promise.allSettled(worlds.map(playAll))
const failures = played.filter(world => world.status === 'rejected')
for (const { reason } of failures) console.error(reason)
process.exit(failures.length > 0 ? 1 : 0)

async function playAll(world: World): Promise<void> {
  try {
    for (const { name, play, long, short, world: where = world.name } of faults) {
      if (where !== world.name || (options.only && !name.includes(options.only))) continue
      const count = options.rounds ? Number(options.rounds) : options.short ? (short[world.name] ?? 0) : long
      if (count > 0) await playOne(`${name}, on ${world.about}`, () => play(world, count))
    }
  } finally {
    await world.close()
  }
}

async function playOne(name: string, play: () => Promise<string>): Promise<void> {
  const startedAt = Date.now()
  const passed = () => `(${((Date.now() - startedAt) / 1000).toFixed(1)} s)`
  try {
    console.log(`ok  ${name}: ${await play()} ${passed()}`)
  } catch (error) {
    if (error instanceof Skipped) {
      console.log(`--  ${name}: ${error.message}`)
      return
    }
    console.log(`NO  ${name} ${passed()}`)
    throw error
  }
}
