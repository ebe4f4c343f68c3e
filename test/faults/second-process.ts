import assert from 'node:assert/strict'
import type { InstallationFactory } from './installations.ts'
import { startRefused, startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged, writeConcurrently } from './write-load.ts'

/** A second process on a data folder is refused in one sentence, again and again, and the writers of the first notice nothing. */
export async function secondProcess(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const service = await startService(installation)
    const acknowledged = nothingAcknowledged()
    const end = new AbortController()
    const people = await newWriters(service.url, 3)
    const written = writeConcurrently(service.url, people, { acknowledged, until: end.signal })

    for (let round = 0; round < rounds; round++) {
      const intruders = await Promise.all([startRefused(installation), startRefused(installation)])
      for (const { how, sentences, seconds } of intruders) {
        assert.equal(how, 1)
        assert.deepEqual(sentences, [
          `Another Deskline is already running on ${installation.dataDir} (process ${service.process.pid}); ` +
            'stop it, or set DATA_DIR to another folder.'
        ])
        assert.ok(seconds < 20, `refused after ${seconds} s`)
      }
    }

    end.abort()
    await written
    await verifyConsistent(installation, acknowledged)
    await verifyAcknowledged(service.url, acknowledged)
    assert.equal(await service.stop(), 0)
    return `${rounds * 2} refused, ${acknowledged.tickets.length} tickets acknowledged meanwhile`
  })
}
