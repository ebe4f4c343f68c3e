import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Accounts } from './accounts.ts'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { throughReader } from './cost-rules.ts'
import { fillFacts } from './fill-facts.ts'
import { jsonMessage } from './http-message.ts'
import { rawRequest } from './raw-request.ts'
import { scenarios } from './scenarios.ts'
import { environmentOf, nodeFlags, root, type Server, serve } from './servers.ts'
import { summary } from './statistics.ts'
import { templateOf } from './testbed.ts'

/** The questions of the page of reports, over a year, and those that look at each fact. */
const questions: Record<string, [name: string, body: object]> = {
  volume: ['volume', { by: 'day', group: 'department' }],
  'first response': ['first-response', { by: 'day', group: 'department' }],
  resolution: ['resolution', { by: 'day', group: 'department' }],
  backlog: ['backlog', { by: 'day', group: 'staff' }],
  'SLA outcomes': ['sla', { by: 'day', group: 'priority' }],
  satisfaction: ['csat', { by: 'month', group: 'staff' }],
  agents: ['agents', { by: 'month' }],
  'volume by tag': ['volume', { by: 'day', group: 'tag' }],
  'volume of a priority by department': ['volume', { by: 'month', group: 'department', priority: 'High' }],
  'first response of a person by department': ['first-response', { by: 'month', group: 'department', staff_id: 7 }],
  'first response of a person': ['first-response', { by: 'month', staff_id: 7 }],
  'tickets behind a month': ['tickets', { figure: 'closed', limit: 50 }]
}

const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

/** Measures how long reports take on the most tickets, how fast tickets are counted anew, and how fast the reader follows the log. */
export async function costOfReports(bench: Bench): Promise<void> {
  const { options } = bench
  const [few, many] = [options.sizes.at(Math.floor(options.sizes.length / 2))!, options.sizes.at(-1)!]
  await withCopy(bench, few, async (url, folder) => {
    const startedAt = performance.now()
    rebuild(folder, url)
    const rate = few / ((performance.now() - startedAt) / 1_000)
    bench.results.costs.push({
      name: `tickets counted anew for reports, of ${few}`,
      unit: '/s',
      value: summary([rate])
    })
    bench.say(`reports: ${rate.toFixed(0)} tickets a second are counted anew`)
    await writeBeside(bench, url, folder)
    const follower = await serve({ dataDir: folder, url })
    try {
      await throughReader(bench, url, 'reports', 'events counted for reports', { atLeast: 500 })
    } finally {
      await follower.stop()
    }
  })
  await withCopy(bench, few, async (url, folder) => {
    await fillFacts(url, many, bench.say)
    const server = await serve({ dataDir: folder, url, words: ['--no-worker'] })
    try {
      await askAll(bench, server, await accountsOf(url), many)
    } finally {
      await server.stop()
    }
  })
}

async function withCopy(bench: Bench, tickets: number, work: (url: string, folder: string) => Promise<void>) {
  const { databases, dataDir, say } = bench
  try {
    await databases.make(database, await templateOf(databases, tickets, say))
    await work(databases.url(database), join(dataDir, database))
  } finally {
    await databases.drop(database)
  }
}

const database = 'bench_reports'

/** Events that the reader has not read when it begins. */
async function writeBeside({ meter, options }: Bench, url: string, folder: string): Promise<void> {
  const server = await serve({ dataDir: folder, url, words: ['--no-worker'] })
  try {
    const requests = scenarios.find(({ name }) => name === 'reply')!.requests(await accountsOf(url))
    await meter.prepare('reports reply', requests)
    for (let round = 0; round < options.rounds; round++)
      await meter.round({ ...server, database }, 'reports reply', 16, 3 * options.milliseconds)
  } finally {
    await server.stop()
  }
}

function rebuild(folder: string, url: string): void {
  const program = [...nodeFlags, join(root, 'bin/deskline.js'), 'reports', 'rebuild']
  const { status, stderr } = spawnSync(process.execPath, program, {
    env: environmentOf(folder, url),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe']
  })
  if (status !== 0) throw new Error(`The reports were not rebuilt: ${stderr}`)
}

async function askAll({ options, results, say }: Bench, { port }: Server, { admin }: Accounts, tickets: number) {
  for (const [about, [name, body]] of Object.entries(questions)) {
    const span = name === 'tickets' ? { from: day(29), to: day(0) } : { from: day(364), to: day(0) }
    const times: number[] = []
    for (let round = 0; round <= Math.max(5, options.rounds); round++) {
      const startedAt = performance.now()
      const { status, answer } = await rawRequest(
        port,
        jsonMessage(`/api/admin/reports/${name}`, admin.token, { ...span, ...body })
      )
      if (status !== 200) throw new Error(`${about} was answered ${status}: ${answer}`)
      times.push(performance.now() - startedAt)
    }
    const [cold, ...warm] = times as [number, ...number[]]
    const add = (how: string, values: number[], atMost: number) =>
      results.costs.push({
        name: `report of a year: ${about}, ${how}, ${tickets} tickets`,
        unit: 'ms',
        value: summary(values),
        ...(tickets >= 1_000_000 ? { mark: { atMost } } : {})
      })
    add('first', [cold], 1_000)
    add('again', warm, 200)
    say(`report ${about}: ${cold.toFixed(0)} ms, then ${summary(warm).median.toFixed(0)} ms`)
  }
}
