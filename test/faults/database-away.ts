import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ask, Refused } from './ask.ts'
import { eventually } from './eventually.ts'
import { startService } from './service.ts'
import { verifyAcknowledged, verifyNothingTorn } from './verify.ts'
import { withSite } from './with-site.ts'
import type { Site, World } from './worlds.ts'
import { newWriters, nothingYet, writeAll } from './writers.ts'

/**
 * The server is stopped in order under writers, stays away for a while and comes back: meanwhile every answer is a 503 that says
 * when to come again, what needs no database goes on, and then all heals without a restart, the job queue included.
 */
export async function databaseAway(world: World, rounds: number): Promise<string> {
  return await withSite(world, async site => {
    const service = await startService(site)
    const acknowledged = nothingYet()
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      const end = new AbortController()
      const writing = { acknowledged, until: end.signal, mayRefuse: [503] }
      const people = await newWriters(service.url, 4)
      const written = writeAll(service.url, people, writing)
      await Promise.race([pause(500), written])

      await site.stopDatabase()
      for (let asked = 0; asked < 20; asked++) {
        const askedAt = Date.now()
        await assert.rejects(ask(service.url, '/api/departments', { mayRefuse: [503] }), Refused)
        assert.ok(Date.now() - askedAt < 2_000, 'a refusal does not take long')
        await ask(service.url, '/api/check')
      }
      await Promise.race([pause(1_000), written])
      const backAt = Date.now()
      await site.reviveDatabase()
      await eventually(30, 'the database', () => ask(service.url, '/api/departments', { mayRefuse: [503] }))
      slowest = Math.max(slowest, Date.now() - backAt)

      end.abort()
      await written
      const { email } = people[0]!
      await ask(service.url, '/api/auth/forgot-password', { body: { email } })
      acknowledged.emails.push(email)
      await eventually(60, 'the delivery of a letter', () => newestIsSent(site))
      await verifyNothingTorn(site, acknowledged)
      await verifyAcknowledged(service.url, acknowledged)
    }
    assert.ok((acknowledged.refusals.get(503) ?? 0) > 0, 'nobody has met a 503')
    assert.equal(await service.stop(), 0)
    await site.nothingLeft()
    return (
      `${rounds} times; healed within ${slowest} ms of its return, answered 503 ${acknowledged.refusals.get(503)} times, ` +
      `${acknowledged.tickets.length} tickets and ${acknowledged.emails.length} letters acknowledged, none lost`
    )
  })
}

/** Whether the newest e-mail has left. */
export async function newestIsSent(site: Site): Promise<void> {
  const client = new pg.Client(await site.connection())
  await client.connect()
  try {
    const { rows } = await client.query('select state from letters order by id desc limit 1')
    assert.deepEqual(rows, [{ state: 'sent' }])
  } finally {
    await client.end()
  }
}
