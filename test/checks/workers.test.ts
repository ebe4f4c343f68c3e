import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../faults/eventually.ts'
import { processesOn } from '../support/processes.ts'
import { deskline, run, served } from '../support/program.ts'
import { check, requestPasswordReset, signUp } from '../support/requests-by-url.ts'
import { copyTemplateCluster } from '../support/template-cluster.ts'

type Service = Awaited<ReturnType<typeof served>>

describe('several workers on one port', () => {
  const token = 'a-token-of-the-watchers'
  let dataDir: string
  let service: Service
  let watched: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'deskline-workers-'))
    await copyTemplateCluster(dataDir)
    const env = { DATA_DIR: dataDir, METRICS_PORT: '0', METRICS_TOKEN: token, READY_DRAIN_SECONDS: '1' }
    service = await served({ ...env, HOST: '127.0.0.1' }, '--workers', '2')
    watched = (await service.says(/health and metrics on (http:\/\/[^"]+)/))[1]!
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  test('they share its requests, and each log line names its process', async () => {
    const ids = Array.from({ length: 8 }, (_, at) => `request-${at}`)
    for (const id of ids) await check(service.url, id)

    for (const id of ids) await service.says(new RegExp(`"callersRequestId":"${id}"`))
    const workers = ids.map(
      id => new RegExp(`"worker":(\\d),"requestId":"[^"]+","callersRequestId":"${id}"`).exec(service.output())?.[1]
    )

    assert.deepEqual([...new Set(workers)].sort(), ['1', '2'])
  })

  test('jobs are run in one of them, and an e-mail bears the id of its request in log and header', async () => {
    await signUp(service.url, 'jobs@example.com')
    await requestPasswordReset(service.url, 'jobs@example.com', { 'x-request-id': 'the-one-id' })

    await service.says(/"worker":1,.*"requestId":"[\da-f-]{36}".*An e-mail was sent/)
    const [email] = await readdir(join(dataDir, 'outbox'))
    assert.match(await readFile(join(dataDir, 'outbox', email!), 'utf8'), /^X-Request-ID: [\da-f-]{36}\r?$/im)
  })

  test('the metrics tell of all of them in one place, and not on the port of the service', async () => {
    const metrics = await textOf(`${watched}/metrics`, token)

    assert.match(metrics, /^deskline_workers 2$/m)
    for (const worker of [1, 2]) {
      assert.match(
        metrics,
        new RegExp(`^deskline_http_requests_total{.*route="/api/check",.*worker="${worker}"} 4$`, 'm')
      )
    }
    assert.equal((await fetch(`${watched}/metrics`)).status, 401)
    assert.equal((await fetch(`${watched}/readyz`)).status, 200)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${service.url}/metrics`, { headers })).status, 404)
  })

  test('one that is killed is started again while the other goes on', async () => {
    const pid = workerOf(service, 2)
    process.kill(pid, 'SIGKILL')

    await service.says(/"worker":2,"how":"signal SIGKILL".*A worker died and is restarted/)
    const meanwhile = await check(service.url, 'meanwhile')
    await service.says(/("worker":2,"pid":\d+,[^\n]*working[\s\S]*){2}/)

    assert.equal(meanwhile, 200)
    const metrics = await textOf(`${watched}/metrics`, token)
    assert.match(metrics, /^deskline_workers 2$/m)
    assert.match(metrics, /^deskline_worker_restarts_total 1$/m)
    assert.notEqual(workerOf(service, 2), pid)
  })

  test('on SIGTERM they are not ready but serve for READY_DRAIN_SECONDS more, then end in order and in time, all of them', async () => {
    service.child.kill('SIGTERM')
    await service.says(/stopping on SIGTERM/)
    await eventually(60, 'its being unready', async () =>
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    )
    const draining = await check(service.url, 'draining')
    const code = await service.ended

    assert.equal(draining, 200)
    // It is not 0 where it had to break something off when its time was over.
    assert.equal(code, 0)
    assert.deepEqual(await processesOn(dataDir), [])
  })

  test('told to stop while one of them is only starting, they end in order and not by being killed', async () => {
    const env = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' }
    const starting = deskline(['serve', '--workers', '2'], env)
    // The second is started by the first one's listening.
    await starting.says(/listening on/)
    const code = await starting.stop()

    assert.equal(code, 0, starting.output())
    assert.doesNotMatch(starting.output(), /did not stop in time/)
  })

  test('a port that is taken is one sentence and exit code 1, however many there are to be', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as AddressInfo).port)

    const env = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'fatal' }
    const { code, output } = await run(['serve', '--workers', '3'], env)
    other.close()

    assert.equal(code, 1)
    assert.equal(output, `PORT ${port} is taken by another program: stop that one, or set PORT to another number.\n`)
  })
})

async function textOf(url: string, token: string): Promise<string> {
  return await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()
}

/** The number of the process that is this worker now. */
function workerOf(service: Service, worker: number): number {
  const starts = service.output().matchAll(new RegExp(`"worker":${worker},"pid":(\\d+)[^\\n]*"msg":"working"`, 'g'))
  return Number([...starts].at(-1)![1])
}
