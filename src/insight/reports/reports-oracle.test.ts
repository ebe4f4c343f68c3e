import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { dayIn, type Happened, median, recount } from '../../../test/support/reports-oracle.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { addUpDays } from '../facts/add-up-days.ts'
import { rebuildReports } from '../facts/fill-facts.ts'

// Each changes its clocks in these weeks, by an hour, by half of one, at midnight, or not at all.
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Kolkata']
const span = { from: '2026-03-01', to: '2026-04-10' }

let now = new Date('2026-03-01T12:00:00Z')
const desk = await bootDesk({ connections: 4, services: { clock: { now: () => now } } })
const admin = await anAdmin(desk)
const staff = [admin, await anAdmin(desk)]
const clients = [await aClient(desk), await aClient(desk)]
const tags = [await aTag('red'), await aTag('blue')]

async function aTag(name: string): Promise<string> {
  const reply = await desk.post('/api/admin/tags/create', admin, { name })
  assert.equal(reply.status, 201, reply.body.message)
  return name
}

const kinds = [
  ...([
    'open',
    'open',
    'openByStaff',
    'write',
    'write',
    'reply',
    'reply',
    'reply',
    'close',
    'close',
    'reopen'
  ] as const),
  ...(['closeByClient', 'assign', 'unassign', 'move', 'priority', 'tag', 'trash', 'restore', 'purge'] as const),
  ...(['merge', 'unmerge', 'undo', 'undo', 'split', 'unsplit'] as const)
]
const action = fc.record({
  kind: fc.constantFrom(...kinds),
  by: fc.nat(1),
  ticket: fc.nat(40),
  other: fc.nat(40),
  minutes: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(2_000))
})
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

/** Does what it can of it: what is refused does not happen. */
async function act(ids: number[], { kind, by, ticket, other, minutes }: Action): Promise<void> {
  now = new Date(now.getTime() + minutes * 60_000)
  const id = ids[ticket % Math.max(1, ids.length)]
  const person = staff[by]!
  const post = async (name: string, body: object) =>
    await desk.post(`/api/admin/tickets/${name}`, person, { id, ...body })
  const owner = async () => {
    const row = await desk.db.selectFrom('tickets').where('id', '=', id!).select('client_id').executeTakeFirst()
    return clients.find(client => client.id === row?.client_id)
  }
  if (kind === 'open') {
    ids.push((await aTicket(desk, clients[by]!)).ticket_id)
    return
  }
  if (kind === 'openByStaff') {
    const opening = { client_id: clients[by]!.id, department_id: 1, subject: 'Noted', message: 'Hello' }
    ids.push((await desk.post('/api/admin/tickets/create', person, opening)).data.ticket_id)
    return
  }
  if (id === undefined) return
  const client = await owner()
  const asClient = async (name: string, body: object, by: Person | undefined) =>
    by && (await desk.post(`/api/tickets/${name}`, by, { id, ...body }))
  switch (kind) {
    case 'write':
      return void (await asClient('reply', { message: 'More' }, client))
    case 'closeByClient':
      return void (await asClient('status', { status: 'Closed' }, client))
    case 'reply':
      return void (await post('reply', { message: 'Here' }))
    case 'close':
      return void (await post('status', { status: 'Closed' }))
    case 'reopen':
      return void (await post('status', { status: 'In Progress' }))
    case 'assign':
      return void (await post('assign', { assigned_staff_id: staff[other % 2]!.id }))
    case 'unassign':
      return void (await post('assign', { assigned_staff_id: null }))
    case 'move':
      return void (await post('update', { department_id: 1 + (other % 3) }))
    case 'priority':
      return void (await post('update', { priority: other % 2 ? 'High' : 'Low' }))
    case 'tag':
      return void (await post('tags', { tags: tags.slice(0, other % 3) }))
    case 'trash':
      return void (await post('delete', {}))
    case 'restore':
      return void (await post('restore', {}))
    case 'purge': {
      const row = await desk.db.selectFrom('tickets').where('id', '=', id).select('ticket_number').executeTakeFirst()
      return void (await post('purge', { ticket_number: row?.ticket_number ?? 'TKT-000000' }))
    }
    case 'merge':
      return void (await post('merge', { into_id: ids[other % ids.length] }))
    case 'unmerge':
      return void (await post('unmerge', {}))
    case 'undo':
      return void (await post('undo', {}))
    case 'split': {
      const messages = await desk.db
        .selectFrom('ticket_messages')
        .where('ticket_id', '=', id)
        .select('id')
        .orderBy('id')
        .execute()
      const chosen = messages.slice(1 + (other % 2)).map(message => message.id)
      const made = await post('split', { message_ids: chosen, subject: 'Another' })
      if (made.status === 201) ids.push(made.data.ticket_id)
      return
    }
    case 'unsplit':
      return void (await post('unsplit', {}))
  }
}

const report = async (name: string, body: object = {}) => {
  const reply = await desk.post(`/api/admin/reports/${name}`, admin, { ...span, ...body })
  assert.equal(reply.status, 200, `${name}: ${reply.body.message}`)
  return reply.data
}

async function csvOf(name: string, body: object): Promise<string[][]> {
  const { pathname, search } = new URL((await report(name, { ...body, format: 'csv' })).url)
  const text = await (await fetch(desk.url + pathname + search)).text()
  return text
    .split('\r\n')
    .slice(0, -1)
    .map(line => line.split(','))
}

const isIn = (zone: string, from: string, to: string) => (each: Happened) =>
  dayIn(zone, each) >= from && dayIn(zone, each) <= to
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

async function compareReports(zone: string, units: readonly string[]): Promise<void> {
  const all = await recount(desk)
  const within = all.filter(isIn(zone, span.from, span.to))
  for (const by of units) {
    const volume = await report('volume', { by })
    assert.deepEqual(volume.totals, volumeOf(within), `${zone} ${by}`)
    for (const { from, to, utc_offset_minutes: _, ...values } of volume.series) {
      assert.deepEqual(values, volumeOf(all.filter(isIn(zone, from, to))), `${zone} ${by} ${from}`)
    }
    for (const name of ['first-response', 'resolution']) {
      const figure = name.replace('-', '_')
      const times = await report(name, { by })
      assert.deepEqual(times.totals, timesOf(within, figure), `${zone} ${name}`)
      for (const { from, to, utc_offset_minutes: _, ...values } of times.series) {
        assert.deepEqual(values, timesOf(all.filter(isIn(zone, from, to)), figure), `${zone} ${name} ${by} ${from}`)
      }
    }
    const backlog = await report('backlog', { by })
    for (const { to, open } of backlog.series) {
      const { opened, closed, reopened } = volumeOf(all.filter(isIn(zone, '', to)))
      assert.equal(open, opened - closed + reopened, `${zone} backlog ${by} ${to}`)
    }
  }
  const agents = await report('agents')
  for (const { key, replies, closed, first_response } of agents.groups) {
    const own = within.filter(({ staff }) => staff === key)
    assert.deepEqual(
      { replies, closed, first_response },
      {
        ...{ replies: countOf(own, 'replies'), closed: countOf(own, 'closed') },
        first_response: timesOf(own, 'first_response')
      }
    )
  }
}

async function compareGroups(): Promise<void> {
  for (const group of ['department', 'staff', 'priority', 'organisation', 'channel', 'tag']) {
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
    const lines = await csvOf('volume', { group })
    assert.deepEqual(
      lines.slice(1).map(line => line.slice(-3).map(Number)),
      groups.map(({ opened, closed, reopened }: Record<string, number>) => [opened, closed, reopened])
    )
  }
}

const stored = async () => {
  const facts = await sql`select * from ticket_facts order by ticket_id, number`.execute(desk.db)
  const days = await sql`select * from report_days order by figure, dimension, key, day`.execute(desk.db)
  return { facts: facts.rows, days: days.rows }
}

test('reports and their CSV are what the raw events say, in five zones over the changes of their clocks, and a rebuild makes the same rows', async () => {
  const history = fc.array(action, { minLength: 60, maxLength: 70 })
  const ids: number[] = []
  for (const at of [0, 1, 0, 1, 0, 1, 0, 1]) await act(ids, { kind: 'open', by: at, ticket: 0, other: 0, minutes: 500 })
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
        await compareReports(zone, [['day'], ['day', 'week'], ['day'], ['day', 'month'], ['day']][at]!)
      }
      await compareGroups()
      const before = await stored()
      await rebuildReports(
        desk.services,
        () => addUpDays(desk.services),
        () => {}
      )
      assert.deepEqual(await stored(), before)
      assert.ok(before.facts.length > 20)
    }),
    { numRuns: 1, endOnFailure: true }
  )
})
