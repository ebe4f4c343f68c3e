import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Accounts, accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { jsonMessage } from './http-message.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { rawRequest } from './raw-request.ts'
import { faultsOf } from './results.ts'
import { scenarios } from './scenarios.ts'
import { type Server, serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'
import { slowdownWhile } from './while-busy.ts'

const activeRules = 50
const timersAtOnce = 10_000
const written = ['create', 'reply', 'status']

/**
 * Measures what fifty active rules cost: what clients write on a desk with them, beside the same on one without; how many events a second go through
 * them; and how long ten thousand timers take that are due at once.
 */
export async function costOfRules(bench: Bench): Promise<void> {
  const { databases, options, dataDir } = bench
  const tickets = options.sizes.at(Math.floor(options.sizes.length / 2))!
  const template = await templateOf(databases, tickets, () => {})
  const [ruled, plain] = ['bench_rules', 'bench_no_rules']
  const folder = (name: string) => join(dataDir, name)
  try {
    await copiesOf(databases, template, [ruled, plain])
    const url = databases.url(ruled)
    const accounts = await accountsOf(url)
    let server = await serve({ dataDir: folder(ruled), url })
    const other = await serve({ dataDir: folder(plain), url: databases.url(plain) })
    try {
      await makeRules(server, accounts)
      await compareWrites(bench, { ...server, database: ruled }, { ...other, database: plain }, accounts)
      await timers(bench, server, accounts, url)
    } finally {
      await server.stop()
      await other.stop()
    }
    server = await serve({ dataDir: folder(ruled), url, words: ['--no-worker'] })
    try {
      const set = 'rules status'
      await bench.meter.prepare(set, requestsOf('status', accounts))
      for (let round = 0; round < options.rounds; round++) {
        await bench.meter.round({ ...server, database: ruled }, set, 16, 3 * options.milliseconds)
      }
    } finally {
      await server.stop()
    }
    const follower = await serve({ dataDir: folder(ruled), url })
    try {
      await throughReader(bench, url, 'rules', `events through ${activeRules} active rules`)
    } finally {
      await follower.stop()
    }
  } finally {
    for (const database of [ruled, plain]) await databases.drop(database)
  }
}

function requestsOf(name: string, accounts: Accounts): Buffer[] {
  return scenarios.find(scenario => scenario.name === name)!.requests(accounts)
}

/** Rules as a desk has them: each follows some events, and few of them fit. */
async function makeRules({ port }: Server, { admin }: Accounts): Promise<void> {
  const events = [['ticket.created'], ['ticket.created', 'ticket.replied'], ['ticket.status_changed']]
  for (let at = 0; at < activeRules; at++) {
    const words = { field: 'subject', op: 'contains', value: `a word that few subjects have ${at}` }
    const priority = { field: 'priority', op: 'is', value: 'Critical' }
    await made(port, admin.token, {
      name: `Rule ${at}`,
      trigger: { events: events[at % events.length] },
      conditions: { all: [{ any: [words] }, { any: [priority] }] },
      actions: [{ set_priority: 'High' }],
      is_active: 1
    })
  }
  await made(port, admin.token, {
    name: 'Timer',
    trigger: { timer: { basis: 'created', minutes: 525_600 } },
    conditions: { all: [{ any: [{ field: 'priority', op: 'is_not', value: 'Critical' }] }] },
    actions: [{ set_priority: 'Critical' }],
    is_active: 1
  })
}

async function made(port: number, token: string, rule: object): Promise<void> {
  const { status, answer } = await rawRequest(port, jsonMessage('/api/admin/rules/create', token, rule))
  if (status !== 201) throw new Error(`A rule was answered ${status}: ${answer}`)
}

type Measured = Server & { database: string }

async function compareWrites(
  { meter, options, results, say }: Bench,
  ruled: Measured,
  plain: Measured,
  accounts: Accounts
): Promise<void> {
  for (const name of written) {
    const set = `rules ${name}`
    await meter.prepare(set, requestsOf(name, accounts))
    const targets = [
      { name: 'with', server: ruled, set },
      { name: 'without', server: plain, set }
    ]
    const measured = await runInterleaved(meter, targets, 16, {
      ...options,
      warmUpMilliseconds: 3 * options.milliseconds
    })
    const speeds = (target: string) => measured[target]!.map(({ perSecond }) => perSecond)
    const value = summary(ratios(speeds('with'), speeds('without')))
    results.costs.push({ name: `${name} beside ${activeRules} active rules`, unit: 'of the same without', value })
    for (const { name: target } of targets) results.faults.push(...faultsOf(`${set} ${target}`, measured[target]!))
    say(`${name} beside ${activeRules} rules: ${value.median.toFixed(2)} of the same without`)
  }
}

/** R9: all are done in the background, under four minutes for ten thousand. */
async function timers({ options, results, say }: Bench, { port }: Server, { admin }: Accounts, url: string) {
  const requests = [jsonMessage('/api/admin/tickets/list', admin.token, { status: ['Open', 'In Progress'] })]
  await withClient(url, async query => {
    const [{ rule }] = (await query(`select rule_id as rule from rule_versions where name = 'Timer'`)) as [
      { rule: string }
    ]
    await query('delete from rule_timers')
    let [seconds, found] = [0, 0]
    const slowdown = await slowdownWhile(port, requests, 10 * options.milliseconds, async () => {
      const set = await query(`insert into rule_timers (rule_id, ticket_id, basis_event_id, due_at)
        select ${rule}, id, 0, now() from tickets where trashed_at is null and merged_into_id is null
        order by id limit ${timersAtOnce} returning 1 as one`)
      found = set.length
      const startedAt = performance.now()
      await until(
        async () =>
          Number((await query('select count(*) as left from rule_timers where due_at <= now()'))[0]!.left) === 0
      )
      seconds = (performance.now() - startedAt) / 1_000
    })
    const [isWhole, name] = [found === timersAtOnce, `${found.toLocaleString('en-US')} timers of a rule due at once`]
    const add = (what: string, unit: string, value: number, atMost: number) =>
      results.costs.push({
        ...{ name: `${name}${what}`, unit, value: summary([value]) },
        ...(isWhole && { mark: { atMost } })
      })
    add('', 's', seconds, 240)
    add(', p95 of other requests', '× before', slowdown, 2)
    say(`${name}: ${seconds.toFixed(1)} s, p95 of other requests ${slowdown.toFixed(2)} × before`)
  })
}

/** How fast a reader catches up with events that were written while nothing followed them. */
export async function throughReader(
  { results, say }: Pick<Bench, 'results' | 'say'>,
  url: string,
  reader: string,
  name: string,
  mark?: { atLeast: number }
): Promise<void> {
  await withClient(url, async query => {
    const [before] = await query(
      `select place, (select max(id) from events) as last from event_readers where name = '${reader}'`
    )
    const startedAt = performance.now()
    // A process that has just started looks at the log within a second: of few events that would be nearly all of the time.
    let first = { place: Number(before!.place), at: startedAt }
    let last = first
    await until(async () => {
      const [now] = await query(`select reader.place, coalesce(reader.place >= (
          select place from event_places where event_id = ${before!.last}), false) as done
        from event_readers as reader where name = '${reader}'`)
      last = { place: Number(now!.place), at: performance.now() }
      if (first.at === startedAt && last.place > first.place) first = last
      return String(now!.done) === 'true'
    })
    const events = last.place - Number(before!.place)
    const from = last.place > first.place ? first : { place: Number(before!.place), at: startedAt }
    const rate = (last.place - from.place) / ((last.at - from.at) / 1_000)
    results.costs.push({ name, unit: '/s', value: summary([rate]), ...(mark && { mark }) })
    say(`${name}: ${rate.toFixed(0)} a second, of ${events}`)
  })
}

async function withClient(
  url: string,
  work: (query: (text: string) => Promise<Record<string, string>[]>) => Promise<void>
) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(async text => (await client.query(text)).rows)
  } finally {
    await client.end()
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(10)
}
