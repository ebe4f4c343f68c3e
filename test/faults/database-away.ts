import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi, RequestRefused } from './call-api.ts'
import { eventually } from './eventually.ts'
import { type InstallationFactory, rowsOf, type TestInstallation } from './installations.ts'
import { startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged, writeConcurrently } from './write-load.ts'

/**
 * The server is stopped in order under writers, stays away for a while and comes back: meanwhile every answer is a 503 that says
 * when to come again, what needs no database goes on, and then all heals without a restart, the job queue included.
 */
export async function databaseAway(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const service = await startService(installation)
    const acknowledged = nothingAcknowledged()
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      const end = new AbortController()
      const writing = { acknowledged, until: end.signal, mayRefuse: [503] }
      const people = await newWriters(service.url, 4)
      const written = writeConcurrently(service.url, people, writing)
      await Promise.race([pause(500), written])

      await installation.stopDatabase()
      for (let asked = 0; asked < 20; asked++) {
        const askedAt = Date.now()
        await assert.rejects(callApi(service.url, '/api/departments', { mayRefuse: [503] }), RequestRefused)
        assert.ok(Date.now() - askedAt < 2_000, 'a refusal does not take long')
        await callApi(service.url, '/api/check')
      }
      await Promise.race([pause(1_000), written])
      const backAt = Date.now()
      await installation.reviveDatabase()
      await eventually(30, 'the database', () => callApi(service.url, '/api/departments', { mayRefuse: [503] }))
      slowest = Math.max(slowest, Date.now() - backAt)

      end.abort()
      await written
      const { email } = people[0]!
      await callApi(service.url, '/api/auth/forgot-password', { body: { email } })
      acknowledged.emails.push(email)
      await eventually(60, 'the delivery of an e-mail', () => newestIsSent(installation))
      await verifyConsistent(installation, acknowledged)
      await verifyAcknowledged(service.url, acknowledged)
    }
    assert.ok((acknowledged.refusals.get(503) ?? 0) > 0, 'nobody has met a 503')
    assert.equal(await service.stop(), 0)
    await installation.assertNothingLeft()
    return (
      `${rounds} times; healed within ${slowest} ms of its return, answered 503 ${acknowledged.refusals.get(503)} times, ` +
      `${acknowledged.tickets.length} tickets and ${acknowledged.emails.length} e-mails acknowledged, none lost`
    )
  })
}

/** Whether the newest e-mail has left. */
export async function newestIsSent(installation: TestInstallation): Promise<void> {
  const rows = await rowsOf(installation, 'select state from outbox_messages order by id desc limit 1')
  assert.deepEqual(rows, [{ state: 'sent' }])
}
