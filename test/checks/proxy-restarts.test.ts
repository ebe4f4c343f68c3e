import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { served } from '../support/program.ts'
import { sampleProxies, startSampleProxy } from '../support/sample-proxies.ts'

for (const name of sampleProxies) {
  test(`behind the sample ${name} a restart of one of two processes is noticed by no reader, and by a write at most in the moment it ends`, async t => {
    const { ports, restart } = await twoProcesses(t)
    const url = await startSampleProxy(t, name, ports)
    if (!url) return t.skip('it is not installed')
    const end = new AbortController()
    const reading = Promise.all([1, 2].map(() => keepAsking(`${url}/livez`, 'GET', end.signal)))
    const writing = Promise.all([1, 2].map(() => keepAsking(`${url}/api/check`, 'POST', end.signal)))

    for (const at of [0, 1] as const) await restart(at)
    end.abort()
    const [read, written] = [(await reading).flat(), (await writing).flat()]
    const failed = written.filter(status => status !== 200)

    assert.deepEqual(new Set(read), new Set([200]))
    // A POST that reaches a process as it closes its port is reset, and no proxy may send it twice.
    assert.ok(failed.length <= 4 && failed.every(status => status === 502), failed.join())
    assert.ok(read.length > 100 && written.length > 100, `${read.length} and ${written.length} requests`)
  })
}

async function twoProcesses(t: TestContext) {
  const { connection } = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-two-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const ports = [await freePort(), await freePort()] as const
  const environment = (at: 0 | 1) => ({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(connection),
    HOST: '127.0.0.1',
    PORT: String(ports[at]),
    READY_DRAIN_SECONDS: '1'
  })
  const running = [await served(environment(0)), await served(environment(1))]
  t.after(() => Promise.all(running.map(each => each.stop('SIGKILL'))))
  return {
    ports,
    async restart(at: 0 | 1) {
      assert.equal(await running[at]!.stop(), 0)
      running[at] = await served(environment(at))
    }
  }
}

async function keepAsking(url: string, method: 'GET' | 'POST', signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = []
  while (!signal.aborted) statuses.push((await fetch(url, { method })).status)
  return statuses
}
