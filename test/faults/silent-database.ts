import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { callApi, RequestRefused } from './call-api.ts'
import { eventually } from './eventually.ts'
import type { InstallationFactory } from './installations.ts'
import { startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged, writeConcurrently } from './write-load.ts'

const statementSeconds = 3
const healsWithinSeconds = 30

/**
 * The machine of the database is gone without a word, as when its power fails and another takes its address: what is sent is taken
 * and never answered. Requests are refused with 503 meanwhile, and once new connections work the service does, though nobody
 * ever closed the old ones.
 */
export async function silentDatabase(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const own = new URL(installation.environment.DATABASE_URL!)
    const wire = await tcpProxy({ host: own.hostname, port: Number(own.port || 5432) })
    own.host = `127.0.0.1:${wire.port}`
    try {
      const environment = { DATABASE_URL: own.href, STATEMENT_TIMEOUT_SECONDS: String(statementSeconds) }
      const service = await startService(installation, environment)
      const acknowledged = nothingAcknowledged()
      let slowest = 0
      for (let round = 0; round < rounds; round++) {
        const end = new AbortController()
        const people = await newWriters(service.url, 6)
        const written = writeConcurrently(service.url, people, { acknowledged, until: end.signal, mayRefuse: [503] })
        await Promise.race([pause(500), written])

        wire.cut()
        const asked = Array.from({ length: 40 }, () => callApi(service.url, '/api/departments', { mayRefuse: [503] }))
        for (const answer of await Promise.allSettled(asked)) {
          assert.ok(
            answer.status === 'rejected' && answer.reason instanceof RequestRefused,
            'refused while there is no database'
          )
        }
        await callApi(service.url, '/api/check')
        const backAt = Date.now()
        wire.restore()
        await eventually(healsWithinSeconds, 'the database', () =>
          callApi(service.url, '/api/departments', { mayRefuse: [503] })
        )
        slowest = Math.max(slowest, Date.now() - backAt)
        end.abort()
        await written
        await verifyAcknowledged(service.url, acknowledged)
      }
      assert.equal(await service.stop(), 0)
      await verifyConsistent(installation, acknowledged)
      return `${rounds} times; healed within ${slowest} ms, ${acknowledged.tickets.length} tickets acknowledged, none lost`
    } finally {
      wire.close()
    }
  })
}
