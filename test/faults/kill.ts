import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, Refused } from './ask.ts'
import { type Service, startService } from './service.ts'
import { verifyAcknowledged, verifyNothingTorn } from './verify.ts'
import { withSite } from './with-site.ts'
import type { Site, World } from './worlds.ts'
import { newWriters, nothingYet, type Writing, writeAll } from './writers.ts'

const writers = 6
const healsWithinMilliseconds = 30_000

/** Kills the service at random moments of concurrent writes and uploads, and starts it again. */
export async function killService(world: World, rounds: number): Promise<string> {
  return await withSite(world, async site => {
    return await rise(site, rounds, async service => {
      await service.kill()
    })
  })
}

/** Kills the service and its database within 300 ms, in either order, and starts them again. */
export async function killBoth(world: World, rounds: number): Promise<string> {
  return await withSite(world, async site => {
    return await rise(site, rounds, async service => {
      const victims = [() => service.kill(), () => site.killDatabase()]
      if (Math.random() < 0.5) victims.reverse()
      await victims[0]!()
      await pause(Math.random() * 300)
      await victims[1]!()
      await site.reviveDatabase()
    })
  })
}

/** Rounds of: start, look whether everything is there, write, strike. */
async function rise(site: Site, rounds: number, strike: (service: Service) => Promise<void>): Promise<string> {
  const acknowledged = nothingYet()
  for (let round = 1; round <= rounds; round++) {
    // In turns as one process, and as a primary whose workers have to follow it.
    const service = await startAndVerify({ workers: round % 2 === 0 ? 2 : undefined })
    const people = await newWriters(service.url, writers)
    const writing = writeAll(service.url, people, { acknowledged, mayVanish: true, mayRefuse: [503] })
    await Promise.race([pause(200 + Math.random() * 1500), once(service.process, 'exit'), writing])
    await strike(service)
    await writing
    if (round % 2 === 0) await site.nothingLeft()
  }
  const service = await startAndVerify()
  assert.equal(await service.stop(), 0)
  await site.nothingLeft()
  return `${rounds} kills; ${figures()}`

  async function startAndVerify(as: { workers?: number } = {}): Promise<Service> {
    const service = await startService(site, {}, as)
    await verifyNothingTorn(site, acknowledged)
    await verifyAcknowledged(service.url, acknowledged)
    return service
  }

  function figures(): string {
    const files = acknowledged.tickets.reduce((sum, ticket) => sum + ticket.files.size, 0)
    return `${acknowledged.tickets.length} tickets with ${files} files and ${acknowledged.emails.length} letters acknowledged, none lost`
  }
}

/** Kills the database under a service that goes on: it answers 503 meanwhile and heals without a restart. */
export async function killDatabase(world: World, rounds: number): Promise<string> {
  return await withSite(world, async site => {
    const acknowledged = nothingYet()
    const service = await startService(site)
    const healing: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const people = await newWriters(service.url, writers)
      const end = new AbortController()
      const writing: Writing = { acknowledged, until: end.signal, mayRefuse: [503] }
      const written = writeAll(service.url, people, writing)
      await Promise.race([pause(200 + Math.random() * 1000), written])

      const struckAt = Date.now()
      await site.killDatabase()
      await pause(Math.random() * 500)
      await site.reviveDatabase()
      await healed(service.url)
      healing.push(Date.now() - struckAt)
      await Promise.race([pause(300), written])
      end.abort()
      await written
      await verifyNothingTorn(site, acknowledged)
      await verifyAcknowledged(service.url, acknowledged)
    }
    assert.ok(acknowledged.refusals.get(503), 'nobody has met a 503')
    assert.equal(await service.stop(), 0)

    const again = await startService(site)
    await verifyNothingTorn(site, acknowledged)
    await verifyAcknowledged(again.url, acknowledged)
    assert.equal(await again.stop(), 0)
    await site.nothingLeft()
    return (
      `${rounds} kills; answered 503 ${acknowledged.refusals.get(503)} times, healed within ${Math.max(...healing)} ms; ` +
      `${acknowledged.tickets.length} tickets acknowledged, none lost`
    )
  })
}

/** Waits until the database is asked with success again; until then every answer is a 503 in the envelope. */
async function healed(url: string): Promise<void> {
  for (const deadline = Date.now() + healsWithinMilliseconds; ; await pause(20)) {
    try {
      await ask(url, '/api/departments', { mayRefuse: [503] })
      return
    } catch (error) {
      if (!(error instanceof Refused) || Date.now() > deadline) throw error
    }
  }
}
