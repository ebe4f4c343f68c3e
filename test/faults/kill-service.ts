import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { attachEmbedded } from '../../src/platform/db/embedded.ts'
import { processesOn, startService } from './service.ts'
import { verifyAcknowledged, verifyNothingTorn } from './verify.ts'
import { type Acknowledged, newClient, writeUntilGone } from './writers.ts'

const writers = 6
const orphansGoneWithinMilliseconds = 15_000

/**
 * Kills the service without a warning at random moments of concurrent writes and uploads, starts it again, and sees that
 * nothing that was acknowledged is lost, nothing is torn and no server process stays behind.
 */
export async function killService(rounds: number): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-faults-'))
  const acknowledged: Acknowledged = { tickets: [] }
  try {
    for (let round = 1; round <= rounds; round++) {
      const service = await startService(dataDir)
      await verifyNothingTorn((await attachEmbedded(dataDir))!, dataDir).catch(error => {
        // Before the first upload there is no folder to look into.
        if (round > 1 || error.code !== 'ENOENT') throw error
      })
      await verifyAcknowledged(service.url, acknowledged)
      const tokens = await Promise.all(Array.from({ length: writers }, () => newClient(service.url)))
      const writing = Promise.all(tokens.map(token => writeUntilGone(service.url, token, acknowledged)))
      await Promise.race([pause(200 + Math.random() * 1500), once(service.process, 'exit')])
      await service.kill()
      await writing
      if (round % 2 === 0) await noProcessLeft(dataDir)
    }

    const service = await startService(dataDir)
    await verifyNothingTorn((await attachEmbedded(dataDir))!, dataDir)
    await verifyAcknowledged(service.url, acknowledged)
    assert.equal(await service.stop(), 0)
    await noProcessLeft(dataDir)
    return `${rounds} kills, ${acknowledged.tickets.length} tickets acknowledged and all there`
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function noProcessLeft(dataDir: string): Promise<void> {
  const deadline = Date.now() + orphansGoneWithinMilliseconds
  let left = await processesOn(dataDir)
  while (left.length > 0 && Date.now() < deadline) {
    await pause(100)
    left = await processesOn(dataDir)
  }
  assert.deepEqual(left, [], 'processes that outlived the service')
}
