import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import { callApi, RequestRefused } from './call-api.ts'
import { eventually } from './eventually.ts'
import { type InstallationFactory, servedInstallations, type TestInstallation } from './installations.ts'
import { type Service, startRefused, startService } from './service.ts'
import { Skipped } from './skipped.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import {
  type Acknowledged,
  form,
  newWriters,
  nothingAcknowledged,
  randomFile,
  type Writer,
  writeConcurrently
} from './write-load.ts'

const megabyte = 1024 * 1024
const worksAgainWithinSeconds = 90

/** The disk of the uploads is full, that of the database is not: files are refused with 507, all else goes on. */
export async function fullUploads(factory: InstallationFactory): Promise<string> {
  return await onSmallDisk(factory, 'uploads', 16, async (installation, disk) => {
    const { service, acknowledged, people, written, end } = await begin(installation, [507])
    await disk.fill(3 * megabyte)
    await untilRefused(acknowledged, written)
    await disk.fill(0)
    for (const ticket of acknowledged.tickets.slice(0, 20)) {
      const message = `No file, no trouble ${ticket.id}`
      await callApi(service.url, '/api/tickets/reply', { token: ticket.token, body: { id: ticket.id, message } })
      ticket.messages.push(message)
      ticket.status = 'Customer-Reply'
    }
    await newWriters(service.url, 1)
    await verifyConsistent(installation, acknowledged)
    await disk.free()
    const healed = await worksAgain(service, people[0]!)
    end.abort()
    await written
    return `${await finish(installation, service, acknowledged)}; works again after ${healed} ms`
  })
}

/**
 * The disk of the whole data folder is full, to the last byte and so long that the database cannot write either. All answers are
 * 507, 503 or right. A start on the full disk works or is refused in one sentence; with room again everything does.
 */
export async function fullDataFolder(factory: InstallationFactory): Promise<string> {
  return await onSmallDisk(factory, '', 220, async (installation, disk) => {
    const { service, acknowledged, people, written, end } = await begin(installation, [503, 507])
    await disk.fill(4 * megabyte)
    await untilRefused(acknowledged, written)
    await disk.fill(0)
    const choked = await untilDatabaseChokes(service, people)
    await exhaustLog(installation)
    await untilUnavailable(service)
    await Promise.race([pause(3_000), written])
    await callApi(service.url, '/api/check')
    await disk.free()
    const healed = await worksAgain(service, people[0]!)

    await disk.fill(0)
    await exhaustLog(installation)
    end.abort()
    await written
    await service.kill()
    await installation.assertNothingLeft()
    const start = await startOnFullDisk(installation)
    await disk.free()
    const figures = await finish(installation, await startService(installation), acknowledged)
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
    const factory = servedInstallations(postgres)
    try {
      return await withInstallation(factory, async installation => {
        const { service, acknowledged, people, written, end } = await begin(installation, [503, 507])
        await disk.fill(0)
        const choked = await untilDatabaseChokes(service, people)
        await exhaustLog(installation)
        await untilUnavailable(service)
        await Promise.race([pause(4_000), written])
        await callApi(service.url, '/api/check')
        await disk.free()
        // Who could not even recover has ended, and is started again as an operator's supervisor would.
        await installation.reviveDatabase()
        const healed = await worksAgain(service, people[0]!)
        end.abort()
        await written
        return `${await finish(installation, service, acknowledged)}; refused with ${choked}, works again after ${healed} ms`
      })
    } finally {
      await disk.free()
      await factory.close()
    }
  } finally {
    await disk.unmount()
    await rm(folder, { recursive: true })
  }
}

async function onSmallDisk(
  factory: InstallationFactory,
  below: string,
  megabytes: number,
  play: (installation: TestInstallation, disk: SmallDisk) => Promise<string>
): Promise<string> {
  let disk: SmallDisk | undefined
  const prepare = async (dataDir: string) => {
    disk = await mountSmallDisk(join(dataDir, below), megabytes)
    return disk.unmount
  }
  return await withInstallation(factory, installation => play(installation, disk!), { prepare })
}

/** A second of writing while there is room. */
async function begin(installation: TestInstallation, mayRefuse: number[]) {
  const service = await startService(installation)
  const acknowledged = nothingAcknowledged()
  const people = await newWriters(service.url, 4)
  const end = new AbortController()
  const written = writeConcurrently(service.url, people, {
    acknowledged,
    until: end.signal,
    mayRefuse,
    largest: 100_000
  })
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
      await callApi(service.url, '/api/tickets/create', { token: person!.token, mayRefuse: [503, 507], body })
    } catch (error) {
      if (error instanceof RequestRefused) return error.status
      throw error
    }
  }
  throw new Error('the database never ran out of room')
}

/** Has the server begin one piece of its log after the other until there is no room for the next: then it gives up itself. */
async function exhaustLog(installation: TestInstallation): Promise<void> {
  try {
    const client = new pg.Client(await installation.administration())
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
    await assert.rejects(callApi(url, '/api/departments', { mayRefuse: [503] }), RequestRefused)
  })
}

async function startOnFullDisk(installation: TestInstallation): Promise<string> {
  const { how, sentences, seconds } = await startRefused(installation)
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
    const body = form({ deptid: '1', subject: 'Room again', message: 'At last' }, [randomFile(10_000)])
    await callApi(url, '/api/tickets/create', { token, body, mayRefuse: [503, 507] })
  })
  return Date.now() - since
}

async function finish(installation: TestInstallation, service: Service, acknowledged: Acknowledged): Promise<string> {
  await verifyConsistent(installation, acknowledged)
  await verifyAcknowledged(service.url, acknowledged)
  assert.equal(await service.stop(), 0)
  const again = await startService(installation)
  await verifyConsistent(installation, acknowledged)
  await verifyAcknowledged(again.url, acknowledged)
  assert.equal(await again.stop(), 0)
  await installation.assertNothingLeft()
  const met = [...acknowledged.refusals].map(([status, count]) => `${count} × ${status}`).join(', ')
  return `${acknowledged.tickets.length} tickets acknowledged and kept, ${met}`
}
