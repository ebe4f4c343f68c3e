import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi, RequestRefused } from './call-api.ts'
import type { InstallationFactory, TestInstallation } from './installations.ts'
import { type Service, startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { type LoadOptions, newWriters, nothingAcknowledged, writeConcurrently } from './write-load.ts'

const writers = 6
const healsWithinMilliseconds = 30_000

/** Kills the service at random moments of concurrent writes and uploads, and starts it again. */
export async function killService(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    return await killRepeatedly(installation, rounds, async service => {
      await service.kill()
    })
  })
}

/** Kills the service and its database within 300 ms, in either order, and starts them again. */
export async function killBoth(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    return await killRepeatedly(installation, rounds, async service => {
      const victims = [() => service.kill(), () => installation.killDatabase()]
      if (Math.random() < 0.5) victims.reverse()
      await victims[0]!()
      await pause(Math.random() * 300)
      await victims[1]!()
      await installation.reviveDatabase()
    })
  })
}

/** In each round: starts the service, verifies that nothing is lost, writes, and kills. */
async function killRepeatedly(
  installation: TestInstallation,
  rounds: number,
  strike: (service: Service) => Promise<void>
): Promise<string> {
  const acknowledged = nothingAcknowledged()
  for (let round = 1; round <= rounds; round++) {
    // Alternately one process, and a primary whose workers have to end with it.
    const service = await startAndVerify({ workers: round % 2 === 0 ? 2 : undefined })
    const people = await newWriters(service.url, writers)
    const writing = writeConcurrently(service.url, people, { acknowledged, mayBeKilled: true, mayRefuse: [503] })
    await Promise.race([pause(200 + Math.random() * 1500), once(service.process, 'exit'), writing])
    await strike(service)
    await writing
    if (round % 2 === 0) await installation.assertNothingLeft()
  }
  const service = await startAndVerify()
  assert.equal(await service.stop(), 0)
  await installation.assertNothingLeft()
  return `${rounds} kills; ${figures()}`

  async function startAndVerify(as: { workers?: number } = {}): Promise<Service> {
    const service = await startService(installation, {}, as)
    await verifyConsistent(installation, acknowledged)
    await verifyAcknowledged(service.url, acknowledged)
    return service
  }

  function figures(): string {
    const files = acknowledged.tickets.reduce((sum, ticket) => sum + ticket.files.size, 0)
    return `${acknowledged.tickets.length} tickets with ${files} files and ${acknowledged.emails.length} e-mails acknowledged, none lost`
  }
}

/** Kills the database of a running service: it responds with 503 meanwhile and recovers without a restart. */
export async function killDatabase(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const acknowledged = nothingAcknowledged()
    const service = await startService(installation)
    const healing: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const people = await newWriters(service.url, writers)
      const end = new AbortController()
      const writing: LoadOptions = { acknowledged, until: end.signal, mayRefuse: [503] }
      const written = writeConcurrently(service.url, people, writing)
      await Promise.race([pause(200 + Math.random() * 1000), written])

      const struckAt = Date.now()
      await installation.killDatabase()
      await pause(Math.random() * 500)
      await installation.reviveDatabase()
      await untilHealthy(service.url)
      healing.push(Date.now() - struckAt)
      await Promise.race([pause(300), written])
      end.abort()
      await written
      await verifyConsistent(installation, acknowledged)
      await verifyAcknowledged(service.url, acknowledged)
    }
    assert.ok(acknowledged.refusals.get(503), 'nobody has met a 503')
    assert.equal(await service.stop(), 0)

    const again = await startService(installation)
    await verifyConsistent(installation, acknowledged)
    await verifyAcknowledged(again.url, acknowledged)
    assert.equal(await again.stop(), 0)
    await installation.assertNothingLeft()
    return (
      `${rounds} kills; answered 503 ${acknowledged.refusals.get(503)} times, healed within ${Math.max(...healing)} ms; ` +
      `${acknowledged.tickets.length} tickets acknowledged, none lost`
    )
  })
}

/** Waits until a request that needs the database succeeds; until then every response must be a 503 in the envelope. */
async function untilHealthy(url: string): Promise<void> {
  for (const deadline = Date.now() + healsWithinMilliseconds; ; await pause(20)) {
    try {
      await callApi(url, '/api/departments', { mayRefuse: [503] })
      return
    } catch (error) {
      if (!(error instanceof RequestRefused) || Date.now() > deadline) throw error
    }
  }
}
