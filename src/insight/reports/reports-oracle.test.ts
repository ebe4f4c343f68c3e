import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Person } from '../../../test/support/people.ts'
import { action, begun, bootHistories } from '../../../test/support/reports-histories.ts'
import { dayIn, type Happened, median, recount } from '../../../test/support/reports-oracle.ts'
import { addUpDays } from '../facts/add-up-days.ts'
import { rebuildReports } from '../facts/fill-facts.ts'
import { reconcileBacklog } from '../facts/reconcile-backlog.ts'
import { flat } from './csv.ts'

// Each changes its clocks in these weeks, by an hour, by half of one, at midnight, or not at all.
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Kolkata']
const span = { from: '2026-03-01', to: '2026-04-10' }

const { desk, admin, clients, act } = await bootHistories()

const report = async (name: string, body: object = {}) => {
  const reply = await desk.post(`/api/admin/reports/${name}`, admin, { ...span, ...body })
  assert.equal(reply.status, 200, `${name}: ${reply.body.message}`)
  return reply.data
}

/** A report as JSON and as CSV say the same: the keys are the columns, values within values have their names put together. */
async function compareCsv(name: string, body: object = {}): Promise<void> {
  const { series, groups } = await report(name, body)
  const { pathname, search } = new URL((await report(name, { ...body, format: 'csv' })).url)
  const text = await (await fetch(desk.url + pathname + search)).text()
  const [columns, ...lines] = parse(text) as string[][]
  const rows: object[] = 'group' in body || name === 'agents' ? groups : series
  // A member of staff is three columns; nobody is none of them.
  const told = rows.map(({ staff, ...row }: { staff?: object | null }) => flat(staff ? { ...row, staff } : row))
  for (const key of told.flatMap(Object.keys)) assert.ok(columns!.includes(key), `${name} has no column ${key}`)
  const written = lines.map(line => Object.fromEntries(line.map((cell, at) => [columns![at], cell])))
  const texts = told.map(row => Object.fromEntries(columns!.map(column => [column, String(row[column] ?? '')])))
  assert.deepEqual(written, texts, `${name} ${JSON.stringify(body)}`)
}

/** With its day in the zone at hand, which is reckoned once and compared with each bucket. */
type Booked = Happened & { day: string }
const isIn =
  (from: string, to: string) =>
  ({ day }: Booked) =>
    day >= from && day <= to
const countOf = (all: readonly Happened[], figure: string) => all.filter(each => each.figure === figure).length
const volumeOf = (all: readonly Happened[]) => ({
  opened: countOf(all, 'opened'),
  closed: countOf(all, 'closed'),
  reopened: countOf(all, 'reopened')
})
function timesOf(all: readonly Happened[], figure: string) {
  const seconds = all.flatMap(each => (each.figure === figure ? [each.seconds!] : []))
  const mean = seconds.length ? Math.round(seconds.reduce((sum, each) => sum + each, 0) / seconds.length) : null
  return {
    n: seconds.length,
    mean_seconds: mean,
    median_seconds: median(seconds, 0.5),
    p90_seconds: median(seconds, 0.9),
    is_about: false
  }
}

function slaOf(all: readonly Happened[]) {
  return Object.fromEntries(
    ['first_response', 'next_response', 'resolution'].map(metric => {
      const [met, breached, dropped, lifted] = ['met', 'breached', 'dropped', 'lifted'].map(outcome =>
        countOf(all, `${metric}.${outcome}`)
      ) as [number, number, number, number]
      const n = met + breached
      return [metric, { met, breached, dropped, lifted, n, percent_met: n ? Math.round((met / n) * 1000) / 10 : null }]
    })
  )
}

function csatOf(all: readonly Happened[]) {
  const [good, bad, sent] = [countOf(all, 'good'), countOf(all, 'bad'), countOf(all, 'sent')]
  const n = good + bad
  return { good, bad, sent, n, percent_good: n < 5 ? null : Math.round((good / n) * 1000) / 10 }
}

async function compareReports(zone: string, units: readonly string[]): Promise<void> {
  // A report has the clocks of promises catch up as well.
  await report('sla')
  const all = (await recount(desk)).map(each => ({ ...each, day: dayIn(zone, each) }))
  const within = all.filter(isIn(span.from, span.to))
  for (const by of units) {
    const volume = await report('volume', { by })
    assert.deepEqual(volume.totals, volumeOf(within), `${zone} ${by}`)
    for (const { from, to, utc_offset_minutes: _, ...values } of volume.series) {
      assert.deepEqual(values, volumeOf(all.filter(isIn(from, to))), `${zone} ${by} ${from}`)
    }
    for (const name of ['first-response', 'resolution']) {
      const figure = name.replace('-', '_')
      const times = await report(name, { by })
      assert.deepEqual(times.totals, timesOf(within, figure), `${zone} ${name}`)
      for (const { from, to, utc_offset_minutes: _, ...values } of times.series) {
        assert.deepEqual(values, timesOf(all.filter(isIn(from, to)), figure), `${zone} ${name} ${by} ${from}`)
      }
    }
    const backlog = await report('backlog', { by })
    for (const { to, open } of backlog.series) {
      const { opened, closed, reopened } = volumeOf(all.filter(isIn('', to)))
      assert.equal(open, opened - closed + reopened, `${zone} backlog ${by} ${to}`)
    }
  }
  for (const by of units) {
    const [promises, ratings] = [await report('sla', { by }), await report('csat', { by })]
    assert.deepEqual(promises.totals, slaOf(within), `${zone} sla`)
    assert.deepEqual(ratings.totals, csatOf(within), `${zone} csat`)
    for (const { from, to, utc_offset_minutes: _, ...values } of promises.series)
      assert.deepEqual(values, slaOf(all.filter(isIn(from, to))), `${zone} sla ${by} ${from}`)
    for (const { from, to, utc_offset_minutes: _, ...values } of ratings.series)
      assert.deepEqual(values, csatOf(all.filter(isIn(from, to))), `${zone} csat ${by} ${from}`)
  }
  for (const name of ['sla', 'csat']) {
    for (const { key, label: _, ...values } of (await report(name, { group: 'staff' })).groups) {
      const own = within.filter(({ staff }) => staff === key)
      assert.deepEqual(values, name === 'sla' ? slaOf(own) : csatOf(own), `${zone} ${name} of ${key}`)
    }
  }
  const agents = await report('agents')
  for (const { key, replies, closed, first_response, csat } of agents.groups) {
    const own = within.filter(({ staff }) => staff === key)
    assert.deepEqual(
      { replies, closed, first_response, csat },
      {
        ...{ replies: countOf(own, 'replies'), closed: countOf(own, 'closed') },
        ...{ first_response: timesOf(own, 'first_response'), csat: csatOf(own) }
      }
    )
  }
}

const names = ['volume', 'first-response', 'resolution', 'backlog', 'sla', 'csat']

async function compareFiles(): Promise<void> {
  for (const name of [...names, 'agents']) await compareCsv(name, { by: 'week' })
  for (const [at, group] of groups.entries()) await compareCsv(names[at]!, { group })
}

const groups = ['department', 'staff', 'priority', 'organisation', 'channel', 'tag']

async function compareGroups(): Promise<void> {
  for (const group of groups) {
    const { totals, groups } = await report('volume', { group })
    const stock = await report('backlog', { group })
    const sum = (name: string, rows: Record<string, number>[]) => rows.reduce((sum, row) => sum + row[name]!, 0)
    for (const name of group === 'tag' ? [] : ['opened', 'closed', 'reopened']) {
      assert.equal(sum(name, groups), totals[name], `${group} ${name}`)
    }
    if (group !== 'tag') assert.equal(sum('open', stock.groups), stock.totals.open, `${group} open`)
    // Each group is what the report filtered by it says, from the facts as from the days.
    for (const each of groups.slice(0, 2).filter(({ key }: { key: unknown }) => key !== null)) {
      const filter = {
        [group === 'tag' || group === 'priority' || group === 'channel' ? group : `${group}_id`]: each.key
      }
      const { key: _, label: __, ...values } = each
      assert.deepEqual((await report('volume', filter)).totals, values, `${group} ${each.key}`)
      const rows = await report('tickets', { figure: 'closed', group, key: each.key, limit: 200 })
      assert.equal(sum('count', rows.tickets), values.closed, `tickets of ${group} ${each.key}`)
      const both = await report('volume', { ...filter, group: group === 'department' ? 'priority' : 'department' })
      assert.deepEqual(both.totals, values, `${group} ${each.key}, from the facts`)
    }
  }
}

/** Erasing takes nothing out of what was counted, but nobody waits any more: what was open of the erased is open no longer. */
async function compareErasure(): Promise<void> {
  const all = [...names, 'agents']
  const told = async () => await Promise.all(all.map(async name => (await report(name)).totals))
  const before = await told()
  const [erased, anonymized] = clients as [Person, Person]
  const [{ open }] = (
    await sql<{ open: number }>`select count(*) as open from tickets
      where client_id = ${erased.id} and status <> 'Closed' and trashed_at is null and merged_into_id is null`.execute(
      desk.db
    )
  ).rows as [{ open: number }]
  for (const [client, mode] of [
    [erased, 'cascade'],
    [anonymized, 'anonymize']
  ] as const) {
    const order = { id: client.id, mode, confirm_email: client.email }
    const reply = await desk.post('/api/admin/clients/delete', admin, order)
    assert.equal(reply.status, 200, reply.body.message)
  }
  const backlog = all.indexOf('backlog')
  before[backlog] = { open: before[backlog].open - open }
  assert.deepEqual(await told(), before)
  assert.equal(await reconcileBacklog(desk.services), 0)
  const kept = await stored()
  await rebuild()
  assert.deepEqual(await stored(), kept)
}

const rebuild = async () =>
  await rebuildReports(
    desk.services,
    () => addUpDays(desk.services),
    () => {}
  )

const stored = async () => {
  const facts = await sql<{ figure: string }>`select * from ticket_facts order by ticket_id, number`.execute(desk.db)
  const days = await sql`select * from report_days order by figure, dimension, key, day`.execute(desk.db)
  return { facts: facts.rows, days: days.rows }
}

test('reports and their CSV are what the raw events say, in five zones over the changes of their clocks, and a rebuild and an erasure leave them so', async () => {
  const history = fc.array(action, { minLength: 45, maxLength: 50 })
  const ids: number[] = []
  for (const each of begun) await act(ids, each)
  await report('volume')
  const figures = new Set((await stored()).facts.map(({ figure }) => figure))
  for (const each of ['closed', 'reopened', 'first_response.breached', 'first_response.lifted', 'sent', 'bad']) {
    assert.ok(figures.has(each), `the history has none that is ${each}`)
  }
  await fc.assert(
    fc.asyncProperty(history, async actions => {
      for (const [at, each] of actions.entries()) {
        await act(ids, each)
        // The reader comes by in between.
        if (at % 17 === 0) await report('volume')
      }
      for (const [at, zone] of zones.entries()) {
        const { status } = await desk.post('/api/admin/settings/update', admin, { time_zone: zone })
        assert.equal(status, 200)
        await compareReports(zone, [['day'], ['week'], ['day'], ['month'], ['day']][at]!)
      }
      await compareGroups()
      await compareFiles()
      const before = await stored()
      await rebuild()
      assert.deepEqual(await stored(), before)
      await compareErasure()
    }),
    { numRuns: 1, endOnFailure: true }
  )
})
