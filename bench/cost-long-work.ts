import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Accounts, accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { jsonMessage } from './http-message.ts'
import { flushDisks } from './machine.ts'
import { rawRequest } from './raw-request.ts'
import { scenarios } from './scenarios.ts'
import { environmentOf, root, type Server, serve } from './servers.ts'
import { summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'
import { download } from './transfer.ts'

const sliceMilliseconds = 250
const longestSeconds = 10
const timerMilliseconds = 10

/** Measures how long the event loop is blocked, and how long requests wait, while an export, a backup or a rebuild of the search index runs. */
export async function costOfLongWork({ databases, meter, options, dataDir, results, say }: Bench): Promise<void> {
  const database = 'bench_long_work'
  const tickets = options.sizes.at(Math.floor(options.sizes.length / 2))!
  await copiesOf(databases, await templateOf(databases, tickets, () => {}), [database])
  const url = databases.url(database)
  const folder = join(dataDir, 'long-work')
  const server = { ...(await serve({ dataDir: folder, url })), database }
  const archive = join(folder, 'backup.tar.gz')
  try {
    const accounts = await accountsOf(url)
    await flushDisks()
    const check = scenarios.find(({ name }) => name === 'check')!
    await meter.prepare('check', check.requests(accounts))
    await meter.round(server, 'check', 1, 1_000)
    const works: [string, (signal: AbortSignal) => Promise<void>][] = [
      ['nothing', signal => once(AbortSignal.any([signal, AbortSignal.timeout(5_000)]), 'abort').then(() => {})],
      ['an export', () => exportBusyClient(server, accounts)],
      ['a backup', signal => command(folder, url, ['backup', archive], signal)],
      ['a search rebuild', signal => command(folder, url, ['search', 'rebuild'], signal)]
    ]
    for (const [name, work] of works) {
      const stop = AbortSignal.timeout(longestSeconds * 1000)
      let isDone = false
      await longestPause(server.port)
      const working = work(stop).finally(() => {
        isDone = true
      })
      const delays: { p99: number; slowest: number }[] = []
      while (!isDone) delays.push(await meter.round(server, 'check', 1, sliceMilliseconds))
      await working
      const pause = await longestPause(server.port)
      const add = (what: string, values: number[], mark?: { atMost: number }) =>
        results.costs.push({ name: `${what} beside ${name}`, unit: 'ms', value: summary(values), mark })
      add(
        '99 of 100 checks answered within, in a quarter of a second',
        delays.map(({ p99 }) => p99)
      )
      add(
        'slowest check, in a quarter of a second',
        delays.map(({ slowest }) => slowest)
      )
      add('longest pause of the event loop', [pause], name === 'nothing' ? undefined : { atMost: 20 })
      say(`beside ${name}: the event loop stood still for ${pause.toFixed(1)} ms at most`)
    }
  } finally {
    await server.stop()
    await databases.drop(database)
    await rm(folder, { recursive: true, force: true })
  }
}

/** The longest event loop delay since the last call, in milliseconds, from the metrics of the service, without the interval of its timer. */
async function longestPause(port: number): Promise<number> {
  const { METRICS_TOKEN } = environmentOf('', undefined)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` }
  })
  const seconds = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(await answer.text())?.[1]
  return Number(seconds) * 1000 - timerMilliseconds
}

/** An admin exports the data of the client with the most tickets, and downloads the archive. */
async function exportBusyClient({ port }: Server, { admin }: Accounts): Promise<void> {
  const { status, answer } = await rawRequest(port, jsonMessage('/api/admin/clients/export', admin.token, { id: 1 }))
  if (status !== 200) throw new Error(`An export was answered ${status}: ${answer}`)
  const { pathname, search } = new URL(JSON.parse(answer).data.url)
  const archive = await download(port, pathname + search, {})
  if (archive.status !== 200) throw new Error(`An archive was answered ${archive.status}`)
}

/** Runs a command of Deskline beside the service, and ends it if it takes too long. */
async function command(folder: string, url: string, words: string[], signal: AbortSignal): Promise<void> {
  const env = environmentOf(folder, url)
  const child = spawn(process.execPath, [join(root, 'bin/deskline.js'), ...words], { env, stdio: 'ignore' })
  signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0 && !signal.aborted) throw new Error(`deskline ${words.join(' ')} ended with ${code}`)
}
