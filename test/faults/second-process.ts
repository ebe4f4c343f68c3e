import assert from 'node:assert/strict'
import { startRefused, startService } from './service.ts'
import { verifyAcknowledged, verifyNothingTorn } from './verify.ts'
import { withSite } from './with-site.ts'
import type { World } from './worlds.ts'
import { newWriters, nothingYet, writeAll } from './writers.ts'

/** A second process on a data folder is refused in one sentence, again and again, and the writers of the first notice nothing. */
export async function secondProcess(world: World, rounds: number): Promise<string> {
  return await withSite(world, async site => {
    const service = await startService(site)
    const acknowledged = nothingYet()
    const end = new AbortController()
    const people = await newWriters(service.url, 3)
    const written = writeAll(service.url, people, { acknowledged, until: end.signal })

    for (let round = 0; round < rounds; round++) {
      const intruders = await Promise.all([startRefused(site), startRefused(site)])
      for (const { how, sentences, seconds } of intruders) {
        assert.equal(how, 1)
        assert.deepEqual(sentences, [
          `Another Deskline is already running on ${site.dataDir} (process ${service.process.pid}); ` +
            'stop it, or set DATA_DIR to another folder.'
        ])
        assert.ok(seconds < 20, `refused after ${seconds} s`)
      }
    }

    end.abort()
    await written
    await verifyNothingTorn(site, acknowledged)
    await verifyAcknowledged(service.url, acknowledged)
    assert.equal(await service.stop(), 0)
    return `${rounds * 2} refused, ${acknowledged.tickets.length} tickets acknowledged meanwhile`
  })
}
