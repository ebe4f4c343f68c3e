import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import { ask, Refused } from './ask.ts'
import { eventually } from './eventually.ts'
import { type Service, startRefused, startService } from './service.ts'
import { Skipped } from './skipped.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { verifyAcknowledged, verifyNothingTorn } from './verify.ts'
import { withSite } from './with-site.ts'
import { type Site, servedWorld, type World } from './worlds.ts'
import { type Acknowledged, form, newWriters, noise, nothingYet, type Writer, writeAll } from './writers.ts'

const megabyte = 1024 * 1024
const worksAgainWithinSeconds = 90

/** The disk of the uploads is full, that of the database is not: files are refused with 507, all else goes on. */
export async function fullUploads(world: World): Promise<string> {
  return await onSmallDisk(world, 'uploads', 16, async (site, disk) => {
    const { service, acknowledged, people, written, end } = await begin(site, [507])
    await disk.fill(3 * megabyte)
    await untilRefused(acknowledged, written)
    await disk.fill(0)
    for (const ticket of acknowledged.tickets.slice(0, 20)) {
      const message = `No file, no trouble ${ticket.id}`
      await ask(service.url, '/api/tickets/reply', { token: ticket.token, body: { id: ticket.id, message } })
      ticket.messages.push(message)
      ticket.status = 'Customer-Reply'
    }
    await newWriters(service.url, 1)
    await verifyNothingTorn(site, acknowledged)
    await disk.free()
    const healed = await worksAgain(service, people[0]!)
    end.abort()
    await written
    return `${await finish(site, service, acknowledged)}; works again after ${healed} ms`
  })
}

/**
 * The disk of the whole data folder is full, to the last byte and so long that the database cannot write either. All answers are
 * 507, 503 or right. A start on the full disk works or is refused in one sentence; with room again everything does.
 */
export async function fullDataFolder(world: World): Promise<string> {
  return await onSmallDisk(world, '', 220, async (site, disk) => {
    const { service, acknowledged, people, written, end } = await begin(site, [503, 507])
    await disk.fill(4 * megabyte)
    await untilRefused(acknowledged, written)
    await disk.fill(0)
    const choked = await untilDatabaseChokes(service, people)
    await exhaustLog(site)
    await untilUnavailable(service)
    await Promise.race([pause(3_000), written])
    await ask(service.url, '/api/check')
    await disk.free()
    const healed = await worksAgain(service, people[0]!)

    await disk.fill(0)
    await exhaustLog(site)
    end.abort()
    await written
    await service.kill()
    await site.nothingLeft()
    const start = await startOnFullDisk(site)
    await disk.free()
    const figures = await finish(site, await startService(site), acknowledged)
    return `${figures}; the database refused with ${choked}, works again after ${healed} ms, a start on the full disk ${start}`
  })
}

/** The disk of a served database is full, that of the uploads is not. */
export async function fullDatabase(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-disk-'))
  const disk = await mountSmallDisk(folder, 220)
  try {
    const postgres = await startPostgres({ durable: true, parent: folder })
    if (!postgres) throw new Skipped('no PostgreSQL is installed here')
    const world = servedWorld(postgres)
    try {
      return await withSite(world, async site => {
        const { service, acknowledged, people, written, end } = await begin(site, [503, 507])
        await disk.fill(0)
        const choked = await untilDatabaseChokes(service, people)
        await exhaustLog(site)
        await untilUnavailable(service)
        await Promise.race([pause(4_000), written])
        await ask(service.url, '/api/check')
        await disk.free()
        // Who could not even recover has ended, and is started again as an operator's supervisor would.
        await site.reviveDatabase()
        const healed = await worksAgain(service, people[0]!)
        end.abort()
        await written
        return `${await finish(site, service, acknowledged)}; refused with ${choked}, works again after ${healed} ms`
      })
    } finally {
      await disk.free()
      await world.close()
    }
  } finally {
    await disk.unmount()
    await rm(folder, { recursive: true })
  }
}

async function onSmallDisk(
  world: World,
  below: string,
  megabytes: number,
  play: (site: Site, disk: SmallDisk) => Promise<string>
): Promise<string> {
  let disk: SmallDisk | undefined
  const prepare = async (dataDir: string) => {
    disk = await mountSmallDisk(join(dataDir, below), megabytes)
    return disk.unmount
  }
  return await withSite(world, site => play(site, disk!), { prepare })
}

/** A second of writing while there is room. */
async function begin(site: Site, mayRefuse: number[]) {
  const service = await startService(site)
  const acknowledged = nothingYet()
  const people = await newWriters(service.url, 4)
  const end = new AbortController()
  const written = writeAll(service.url, people, { acknowledged, until: end.signal, mayRefuse, largest: 100_000 })
  await Promise.race([pause(1_000), written])
  assert.equal(refused(acknowledged), 0, 'nothing is refused while there is room')
  return { service, acknowledged, people, end, written }
}

async function untilRefused(acknowledged: Acknowledged, written: Promise<void>): Promise<void> {
  const noticed = eventually(30, 'the refusal of uploads', async () => assert.ok(refused(acknowledged) >= 10))
  await Promise.race([noticed, written])
}

function refused({ refusals }: Acknowledged): number {
  return [...refusals.values()].reduce((sum, count) => sum + count, 0)
}

/** Long messages until the database has no room for one; answers the status. */
async function untilDatabaseChokes(service: Service, [person]: Writer[]): Promise<number> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    try {
      const message = randomBytes(150_000).toString('base64')
      const body = { deptid: 1, subject: 'A long story', message }
      await ask(service.url, '/api/tickets/create', { token: person!.token, mayRefuse: [503, 507], body })
    } catch (error) {
      if (error instanceof Refused) return error.status
      throw error
    }
  }
  throw new Error('the database never ran out of room')
}

/** Has the server begin one piece of its log after the other until there is no room for the next: then it gives up itself. */
async function exhaustLog(site: Site): Promise<void> {
  try {
    const client = new pg.Client(await site.administration())
    client.on('error', () => {})
    await client.connect()
    for (let piece = 0; piece < 50; piece++) {
      await client.query(`select pg_logical_emit_message(false, 'full', 'disk'), pg_switch_wal()`)
    }
  } catch {
    return
  }
  throw new Error('the log of the database never ran out of room')
}

async function untilUnavailable({ url }: Service): Promise<void> {
  await eventually(30, 'a 503', async () => {
    await assert.rejects(ask(url, '/api/departments', { mayRefuse: [503] }), Refused)
  })
}

async function startOnFullDisk(site: Site): Promise<string> {
  const { how, sentences, seconds } = await startRefused(site)
  if (how === 'listening') return 'worked'
  assert.equal(how, 1)
  assert.equal(sentences.length, 1, sentences.join('\n'))
  assert.match(sentences[0]!, /No room is left on the disk|the disk is full/)
  assert.ok(seconds < 20, `refused after ${seconds} s`)
  return `was refused (${sentences[0]})`
}

async function worksAgain({ url }: Service, { token }: Writer): Promise<number> {
  const since = Date.now()
  await eventually(worksAgainWithinSeconds, 'an upload with room again', async () => {
    const body = form({ deptid: '1', subject: 'Room again', message: 'At last' }, [noise(10_000)])
    await ask(url, '/api/tickets/create', { token, body, mayRefuse: [503, 507] })
  })
  return Date.now() - since
}

async function finish(site: Site, service: Service, acknowledged: Acknowledged): Promise<string> {
  await verifyNothingTorn(site, acknowledged)
  await verifyAcknowledged(service.url, acknowledged)
  assert.equal(await service.stop(), 0)
  const again = await startService(site)
  await verifyNothingTorn(site, acknowledged)
  await verifyAcknowledged(again.url, acknowledged)
  assert.equal(await again.stop(), 0)
  await site.nothingLeft()
  const met = [...acknowledged.refusals].map(([status, count]) => `${count} × ${status}`).join(', ')
  return `${acknowledged.tickets.length} tickets acknowledged and kept, ${met}`
}
