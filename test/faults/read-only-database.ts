import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { callApi, RequestRefused } from './call-api.ts'
import { newestIsSent } from './database-away.ts'
import { eventually } from './eventually.ts'
import type { InstallationFactory, TestInstallation } from './installations.ts'
import { startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged, writeConcurrently } from './write-load.ts'

const healsWithinMilliseconds = 2_000

/**
 * The database takes no writes for a while, as after a failover or when its host has made it read-only for want of space: what writes
 * is a 503 that says when to come again, reading goes on, and writing works again at once when the database does, the job queue included.
 */
export async function readOnlyDatabase(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const service = await startService(installation)
    const acknowledged = nothingAcknowledged()
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      const end = new AbortController()
      const people = await newWriters(service.url, 4)
      const written = writeConcurrently(service.url, people, { acknowledged, until: end.signal, mayRefuse: [503] })
      await Promise.race([pause(500), written])

      await turnReadOnly(installation, 'on')
      for (let asked = 0; asked < 20; asked++) {
        await assert.rejects(forgetPassword(service.url, people[0]!.email), RequestRefused)
        await callApi(service.url, '/api/departments')
      }
      await eventually(30, 'the warning', async () => assert.equal(await readiness(service.url), 503))
      const backAt = Date.now()
      await turnReadOnly(installation, 'off')
      await eventually(30, 'writing', () => forgetPassword(service.url, people[0]!.email))
      acknowledged.emails.push(people[0]!.email)
      slowest = Math.max(slowest, Date.now() - backAt)
      assert.ok(slowest < healsWithinMilliseconds, `healed after ${slowest} ms`)

      end.abort()
      await written
      await eventually(60, 'the delivery of an e-mail', () => newestIsSent(installation))
      await verifyConsistent(installation, acknowledged)
      await verifyAcknowledged(service.url, acknowledged)
    }
    assert.ok((acknowledged.refusals.get(503) ?? 0) > 0, 'nobody has met a 503')
    assert.equal(await service.stop(), 0)
    await installation.assertNothingLeft()
    return (
      `${rounds} times; wrote again within ${slowest} ms, answered 503 ${acknowledged.refusals.get(503)} times, ` +
      `${acknowledged.tickets.length} tickets and ${acknowledged.emails.length} e-mails acknowledged, none lost`
    )
  })
}

async function forgetPassword(url: string, email: string): Promise<void> {
  await callApi(url, '/api/auth/forgot-password', { body: { email }, mayRefuse: [503] })
}

async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/readyz`)).status
}

/** For new sessions; those that are there are ended. */
async function turnReadOnly(installation: TestInstallation, isReadOnly: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({
    ...(await installation.administration()),
    options: '-c default_transaction_read_only=off'
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('select quote_ident(current_database()) as name')
    await client.query(`alter database ${rows[0].name} set default_transaction_read_only = ${isReadOnly}`)
    await client.query(`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'deskline%'`)
  } finally {
    await client.end()
  }
}
