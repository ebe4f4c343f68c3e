import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Accounts, accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { jsonMessage } from './http-message.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { memoryOf, processTree } from './process-usage.ts'
import { rawRequest } from './raw-request.ts'
import { faultsOf } from './results.ts'
import { scenarios } from './scenarios.ts'
import { type Server, serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'
import { slowdownWhile } from './while-busy.ts'

const dueAtOnce = 10_000

/**
 * Measures what SLA clocks cost: a page of fifty tickets with them, and what clients write, on a desk with a policy beside one without; how long it
 * takes to tell ten thousand that fall due at once, and what other requests notice of it.
 */
export async function costOfPromises(bench: Bench): Promise<void> {
  const { databases, options, dataDir, results, say } = bench
  const tickets = options.sizes.at(Math.floor(options.sizes.length / 2))!
  const template = await templateOf(databases, tickets, () => {})
  const [promised, plain] = ['bench_promises', 'bench_no_promises']
  const folder = (name: string) => join(dataDir, name)
  try {
    await copiesOf(databases, template, [promised, plain])
    const url = databases.url(promised)
    const accounts = await accountsOf(url)
    const server = await serve({ dataDir: folder(promised), url })
    const other = await serve({ dataDir: folder(plain), url: databases.url(plain) })
    try {
      await makePolicy(server, accounts)
      say(`promises: ${await makeClocks(url)} clocks run`)
      const rss = async ({ pid }: Server) => (await memoryOf(await processTree(pid))).rss
      const more = (await rss(server)) - (await rss(other))
      results.costs.push({ name: 'memory at rest with a policy beside none', unit: 'MB', value: summary([more]) })
      say(`promises: ${more.toFixed(0)} MB more at rest`)
      const [ours, without] = [
        { ...server, database: promised },
        { ...other, database: plain }
      ]
      await comparePages(bench, ours, without, accounts)
      for (const name of ['create', 'reply', 'status']) await compareWrites(bench, name, ours, without, accounts)
      await tellManyAtOnce(bench, server, url, accounts)
    } finally {
      await server.stop()
      await other.stop()
    }
  } finally {
    for (const database of [promised, plain]) await databases.drop(database)
  }
}

type Measured = Server & { database: string }

async function makePolicy({ port }: Server, { admin }: Accounts): Promise<void> {
  const ask = async (path: string, body: object) => {
    const { status, answer } = await rawRequest(port, jsonMessage(path, admin.token, body))
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${answer}`)
    return JSON.parse(answer).data
  }
  const { calendars } = await ask('/api/admin/calendars/list', {})
  const { id: calendar_id } = calendars.find((calendar: { is_always: 0 | 1 }) => calendar.is_always === 1)
  const targets = ['first_response', 'next_response', 'resolution'].flatMap(metric =>
    ['Low', 'Medium', 'High', 'Critical'].map(priority => ({ metric, priority, minutes: 20_160, calendar_id }))
  )
  await ask('/api/admin/sla-policies/create', { name: 'Two weeks', targets, warn_minutes: 60, is_active: 1 })
}

/** Each open ticket has two clocks, and each of the newest, so that enough of them can fall due, as if the policy had been there when it was opened. */
async function makeClocks(url: string): Promise<number> {
  return await withClient(url, async query => {
    const rows =
      await query(`insert into sla_clocks (ticket_id, metric, policy_id, policy_version, priority, calendar_id, target_minutes,
        started_at, started_by, ledger, counted_ms, runs_since, state, due_at, soon_at, warn_at, turns)
      select ticket.id, metric, policy.id, policy.version, ticket.priority, calendar.id, 20160, now(), 1, '[]', 0, now(), 'running',
        now() + interval '14 days', now() + interval '10 days', now() + interval '13 days', '[]'
      from tickets as ticket, sla_policies as policy, calendars as calendar, unnest(array['first_response', 'resolution']) as metric
      where (ticket.status <> 'Closed' or ticket.id > (select max(id) - ${dueAtOnce / 2} from tickets)) and calendar.is_always returning 1 as one`)
    await query('analyze sla_clocks')
    return rows.length
  })
}

async function comparePages(bench: Bench, ours: Measured, plain: Measured, { admin }: Accounts): Promise<void> {
  const body = { status: ['Open', 'In Progress', 'Customer-Reply'], limit: 50 }
  const requests = [jsonMessage('/api/admin/tickets/list', admin.token, body)]
  const value = await ratio(bench, 'promises page', requests, ours, plain, 1)
  // How much longer one takes.
  const times = summary(value.map(each => 1 / each))
  bench.results.costs.push({
    name: 'a page of 50 tickets with their clocks',
    unit: '× without',
    value: times,
    mark: { atMost: 1.15 }
  })
  bench.say(`a page of 50 with clocks: ${times.median.toFixed(2)} × without`)
}

async function compareWrites(bench: Bench, name: string, ours: Measured, plain: Measured, accounts: Accounts) {
  const requests = scenarios.find(scenario => scenario.name === name)!.requests(accounts)
  const value = summary(await ratio(bench, `promises ${name}`, requests, ours, plain, 16))
  const mark = { atLeast: 0.95 }
  bench.results.costs.push({ name: `${name} with an SLA policy`, unit: 'of the same without', value, mark })
  bench.say(`${name} with a policy: ${value.median.toFixed(2)} of the same without`)
}

/** How many requests a second one server answers, of those that the other one does, round by round. */
async function ratio(
  { meter, options, results }: Bench,
  set: string,
  requests: Buffer[],
  ours: Measured,
  plain: Measured,
  concurrency: number
): Promise<number[]> {
  await meter.prepare(set, requests)
  const targets = [
    { name: 'with', server: ours, set },
    { name: 'without', server: plain, set }
  ]
  const warmUpMilliseconds = 3 * options.milliseconds
  const measured = await runInterleaved(meter, targets, concurrency, { ...options, warmUpMilliseconds })
  for (const { name } of targets) results.faults.push(...faultsOf(`${set} ${name}`, measured[name]!))
  const speeds = (target: string) => measured[target]!.map(({ perSecond }) => perSecond)
  return ratios(speeds('with'), speeds('without'))
}

/** S16: all that fall due at nine are told within ten seconds, and others hardly notice. */
async function tellManyAtOnce({ options, results, say }: Bench, { port }: Server, url: string, { admin }: Accounts) {
  const requests = [jsonMessage('/api/admin/tickets/list', admin.token, { status: ['Open', 'In Progress'] })]
  await withClient(url, async query => {
    const left = async () => {
      const [row] = await query('select count(*) as left from sla_clocks where due_at <= now() and breached_at is null')
      return Number(row!.left)
    }
    let [seconds, found] = [0, 0]
    const slowdown = await slowdownWhile(port, requests, 10 * options.milliseconds, async () => {
      const due = await query(`update sla_clocks set due_at = now() where id in (select id from sla_clocks
        where ended_at is null and breached_at is null and state = 'running' order by id limit ${dueAtOnce}) returning 1 as one`)
      found = due.length
      const startedAt = performance.now()
      while ((await left()) > 0) await pause(50)
      seconds = (performance.now() - startedAt) / 1_000
    })
    const [isWhole, name] = [found === dueAtOnce, `${found.toLocaleString('en-US')} clocks due at once`]
    const add = (what: string, unit: string, value: number, atMost: number) =>
      results.costs.push({
        ...{ name: `${name}${what}`, unit, value: summary([value]) },
        ...(isWhole && { mark: { atMost } })
      })
    add(', told', 's', seconds, 10)
    add(', p95 of other requests', '× before', slowdown, 2)
    say(`${name}: told within ${seconds.toFixed(1)} s, p95 of other requests ${slowdown.toFixed(2)} × before`)
  })
}

async function withClient<T>(
  url: string,
  work: (query: (text: string) => Promise<Record<string, string>[]>) => Promise<T>
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(async text => (await client.query(text)).rows)
  } finally {
    await client.end()
  }
}
