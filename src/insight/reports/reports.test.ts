import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aSupporter } from '../../../test/support/people.ts'
import { bootReportsDesk, type Row } from '../../../test/support/reports.ts'
import { aCalendar, aPolicy } from '../../../test/support/sla.ts'
import { ticketCountsAreRight } from '../../../test/support/ticket-counts.ts'
import { limitTo } from '../../../test/support/tickets.ts'

const { desk, ada, admin, grace, aMonth, opened, staff, client, report, csv, done } = await bootReportsDesk()

test('volume counts openings, closings and reopenings on their days, and each ticket behind them can be opened', async () => {
  const { day, span, at } = aMonth()
  await at(2)
  const id = await opened()
  await at(3)
  await staff('status', { id, status: 'Closed' })
  await at(4)
  await client('reply', { id, message: 'Not yet' })
  await staff('status', { id, status: 'Closed' })

  const answer = await report('volume', { ...span, from: day(2), to: day(4) })
  const behind = await report('tickets', { figure: 'closed', ...span })

  assert.deepEqual(answer.totals, { opened: 1, closed: 2, reopened: 1 })
  assert.deepEqual(answer.series, [
    { from: day(2), to: day(2), utc_offset_minutes: 0, opened: 1, closed: 0, reopened: 0 },
    { from: day(3), to: day(3), utc_offset_minutes: 0, opened: 0, closed: 1, reopened: 0 },
    { from: day(4), to: day(4), utc_offset_minutes: 0, opened: 0, closed: 1, reopened: 1 }
  ])
  assert.deepEqual(
    behind.tickets.map(({ id, count, subject }: Row) => [id, count, subject]),
    [[id, 2, 'The printer is on fire']]
  )
  assert.deepEqual([answer.time_zone, answer.filled_to], ['UTC', `${day(4)}T10:00:00.000Z`])
})

test('N1: the trash, merged sources and purged tickets are in no report; restoring and unmerging bring them back, and an undo leaves no trace', async () => {
  const { span, at } = aMonth()
  await at(2)
  const [trashed, source, target, purged] = [await opened(), await opened(), await opened(), await opened()]
  const totals = async () => (await report('volume', span)).totals
  await staff('status', { id: target, status: 'Closed' })
  await staff('undo', { id: target })
  const undone = await totals()
  await staff('delete', { id: trashed })
  await staff('delete', { id: purged })
  await staff('merge', { id: source, into_id: target })
  const away = await totals()
  await staff('restore', { id: trashed })
  await staff('unmerge', { id: source })
  const { ticket_number } = await desk.db
    .selectFrom('tickets')
    .where('id', '=', purged)
    .select('ticket_number')
    .executeTakeFirstOrThrow()
  await staff('purge', { id: purged, ticket_number }, admin)

  assert.deepEqual(undone, { opened: 4, closed: 0, reopened: 0 })
  assert.deepEqual(away, { opened: 1, closed: 0, reopened: 0 })
  assert.deepEqual(await totals(), { opened: 3, closed: 0, reopened: 0 })
  // The clock stands still meanwhile: what happens in one instant is counted too.
  await ticketCountsAreRight(desk.db)
})

test('N2: the first response counts from the first message, after a closing without one from the next, and tickets of staff have none', async () => {
  const { day, at } = aMonth()
  await at(2)
  const [id, dropped] = [await opened(), await opened()]
  await staff('create', { client_id: ada.id, department_id: 1, subject: 'For you', message: 'Hello' })
  await staff('status', { id: dropped, status: 'Closed' })
  await at(2, '12:00')
  await staff('reply', { id, message: 'Here we are' })
  await at(3)
  await client('reply', { id: dropped, message: 'Hello?' })
  await at(3, '10:30')
  await staff('reply', { id: dropped, message: 'Sorry' })
  const span = { from: day(2), to: day(3) }

  const { totals, groups, series } = await report('first-response', { ...span, group: 'staff' })
  const { totals: work } = await report('agents', span)

  assert.deepEqual(totals, { n: 2, mean_seconds: 4500, median_seconds: 4500, p90_seconds: 6660, is_about: false })
  assert.deepEqual(
    series.map(({ n, mean_seconds }: Row) => [n, mean_seconds]),
    [
      [1, 7200],
      [1, 1800]
    ]
  )
  assert.deepEqual([groups.length, groups[0].key, groups[0].label, groups[0].n], [1, grace.id, 'Grace Hopper', 2])
  assert.equal(work.replies, 2)
})

test('N3: a resolution is booked on the day of the last closing, for whoever closed or had it, in clock or in open hours', async () => {
  const { day, span, at } = aMonth()
  // From a Tuesday to a Saturday; the installed default calendar is always open until an admin chooses another.
  const office = await aCalendar(desk, { time_zone: 'UTC' })
  const { data } = await desk.post('/api/admin/calendars/list', admin)
  const version = data.calendars.find(({ id }: { id: number }) => id === office.id).version
  await done('/api/admin/calendars/update', admin, { id: office.id, is_default: 1, expected_version: version })
  await at(2, '16:00')
  const [id, again] = [await opened(), await opened()]
  await staff('assign', { id, assigned_staff_id: grace.id })
  await staff('status', { id: again, status: 'Closed' })
  await at(6, '10:00')
  await client('status', { id, status: 'Closed' })
  await client('reply', { id: again, message: 'Still' })

  const { totals, groups } = await report('resolution', { ...span, group: 'staff' })
  const open = await report('resolution', { ...span, hours: 'open' })
  const [count] = (await report('volume', span)).series.filter(({ from }: Row) => from === day(2))

  assert.deepEqual([totals.n, totals.mean_seconds], [1, (4 * 24 - 6) * 3600])
  // From 16 to 17 on Tuesday, and until Friday.
  assert.equal(open.totals.mean_seconds, (1 + 3 * 8) * 3600)
  assert.deepEqual([groups.length, groups[0].key], [1, grace.id])
  assert.equal(count.closed, 1)
})

test('N4: a clock is booked on the day on which it ended, and one that is late and still runs on the day on which it was due', async () => {
  const { day, span, at } = aMonth()
  const always = await aCalendar(desk, { time_zone: 'UTC', hours: daily })
  await aPolicy(desk, admin, always)
  await at(2)
  const [met, late] = [await opened(), await opened()]
  await at(2, '12:00')
  await staff('reply', { id: met, message: 'In time' })
  await at(5)
  const running = await report('sla', span)
  await staff('reply', { id: late, message: 'Late' })
  const ended = await report('sla', span)

  const on = (answer: { series: SlaRow[] }, number: number) =>
    answer.series.find(({ from }) => from === day(number))!.first_response
  assert.deepEqual(running.totals.first_response, {
    ...{ met: 1, breached: 1, dropped: 0, lifted: 0, n: 2, percent_met: 50 }
  })
  assert.deepEqual([on(running, 2).met, on(running, 2).breached], [1, 1])
  assert.deepEqual([on(ended, 2).breached, on(ended, 5).breached], [0, 1])
  const { tickets } = await report('tickets', { report: 'sla', figure: 'breached', metric: 'first_response', ...span })
  assert.deepEqual(
    tickets.map(({ id }: Row) => id),
    [late]
  )
})

interface SlaRow {
  from: string
  first_response: Record<string, number>
}
const allDay = [['00:00', '24:00']]
const daily = { mon: allDay, tue: allDay, wed: allDay, thu: allDay, fri: allDay, sat: allDay, sun: allDay }

test('a late promise that another priority makes kept is lifted, on the day of the change', async () => {
  const { day, at } = aMonth()
  const always = await aCalendar(desk, { time_zone: 'UTC', hours: daily })
  const minutes = { Low: 9_000, Medium: 60, High: 60, Critical: 60 }
  const targets = Object.entries(minutes).map(([priority, minutes]) => ({
    ...{ metric: 'first_response', priority, minutes },
    calendar_id: always.id
  }))
  const { policies } = await done('/api/admin/sla-policies/list', admin, {})
  for (const { id } of policies) await done('/api/admin/sla-policies/archive', admin, { id })
  await aPolicy(desk, admin, always, { targets })
  await at(2)
  const id = await opened()
  await at(3)
  const late = await report('sla', { from: day(2), to: day(4) })
  await at(4)
  await staff('update', { id, priority: 'Low' }, admin)
  const { totals, series } = await report('sla', { from: day(2), to: day(4) })

  assert.equal(late.totals.first_response.breached, 1)
  assert.deepEqual([totals.first_response.breached, totals.first_response.lifted], [0, 1])
  assert.equal(series[2].first_response.lifted, 1)
  const { tickets } = await report('tickets', { figure: 'lifted', from: day(4), to: day(4) })
  assert.deepEqual(
    tickets.map((row: Row) => row.id),
    [id]
  )
})

test('N5: weeks begin on Monday, and the first and the last bucket are cut at the days of the question', async () => {
  const { series } = await report('volume', { from: '2026-03-04', to: '2026-03-17', by: 'week' })
  const months = await report('backlog', { from: '2026-03-30', to: '2026-05-02', by: 'month' })

  const ends = (rows: Row[]) => rows.map(({ from, to }) => [from, to])
  assert.deepEqual(ends(series), [
    ['2026-03-04', '2026-03-08'],
    ['2026-03-09', '2026-03-15'],
    ['2026-03-16', '2026-03-17']
  ])
  assert.deepEqual(ends(months.series), [
    ['2026-03-30', '2026-03-31'],
    ['2026-04-01', '2026-04-30'],
    ['2026-05-01', '2026-05-02']
  ])
})

test('N6: without tickets.view_all one sees the own departments and oneself; without any permission for tickets nothing', async () => {
  const { span, at } = aMonth()
  const [mary, none] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'clients.view')]
  await limitTo(desk, mary.id, 1)
  await at(2)
  const [own] = [await opened(), await opened({ department_id: 5 })]
  await staff('assign', { id: own, assigned_staff_id: mary.id })
  await staff('reply', { id: own, message: 'Mine' }, mary)
  const status = async (name: string, by: typeof mary, body: object = {}) =>
    (await desk.post(`/api/admin/reports/${name}`, by, { ...span, ...body })).status

  const volume = await report('volume', span, mary)
  const agents = await report('agents', span, mary)
  const { tickets } = await report('tickets', { figure: 'opened', ...span }, mary)

  assert.equal(volume.totals.opened, 1)
  assert.deepEqual(
    agents.groups.map(({ key }: Row) => key),
    [mary.id]
  )
  assert.deepEqual(
    tickets.map(({ id }: Row) => id),
    [own]
  )
  assert.equal(await status('volume', mary, { department_id: 5 }), 403)
  assert.equal(await status('volume', mary, { group: 'staff' }), 403)
  assert.equal(await status('first-response', mary, { staff_id: grace.id }), 403)
  assert.equal(await status('volume', none), 403)
  assert.equal(await status('wall', none), 403)
})

test('N8: a CSV has the keys of the JSON as columns, numbers as numbers, runs no formula, and begins with a mark only if that is wanted', async () => {
  const { day, span, at } = aMonth()
  await at(2)
  const id = await opened({ subject: '=cmd|"/c calc"!A1' })

  const lines = await csv('volume', { from: day(2), to: day(2) })
  const nested = await csv('sla', { ...span, group: 'priority', bom: 1 })
  const tickets = await csv('tickets', { figure: 'opened', from: day(2), to: day(2) })

  assert.deepEqual(lines, ['from,to,utc_offset_minutes,opened,closed,reopened', `${day(2)},${day(2)},0,1,0,0`])
  assert.match(nested[0]!, /^\uFEFFkey,label,first_response\.met,first_response\.breached/)
  assert.equal(tickets[0], 'id,ticket_number,subject,status,count,at,seconds')
  assert.match(tickets[1]!, new RegExp(`^${id},\\w+-\\d+,"'=cmd\\|""/c calc""!A1",Open,1,`))
})

test('a link to a CSV opens it for its maker alone, and not when they may not see it any more', async () => {
  const { span } = aMonth()
  const mary = await aSupporter(desk, 'tickets.view_all')
  const { url } = await done('/api/admin/reports/volume', mary, { ...span, format: 'csv' })
  const { pathname, search } = new URL(url)
  const get = async (query: string) => (await fetch(desk.url + pathname + query)).status

  assert.equal(await get(search), 200)
  assert.equal(await get(search.replace('volume', 'backlog')), 404)
  await sql`delete from staff_permissions where staff_id = ${mary.id}`.execute(desk.db)
  assert.equal(await get(search), 404)
})

test('what makes no sense is refused with its field', async () => {
  const refused = async (name: string, body: object, ...errors: string[]) => {
    const reply = await desk.post(`/api/admin/reports/${name}`, admin, {
      from: '2026-03-01',
      to: '2026-03-31',
      ...body
    })
    assert.deepEqual([reply.status, reply.body.errors], [400, errors], JSON.stringify(body))
  }
  await refused('volume', { from: '2026-04-01' }, 'from', 'to')
  await refused('volume', { from: '2026-02-30' }, 'from')
  await refused('volume', { from: '2020-01-01' }, 'from', 'to')
  await refused('volume', { group: 'weather' }, 'group')
  await refused('volume', { department_id: 99 }, 'department_id')
  await refused('volume', { tag: 'nowhere' }, 'tag')
  await refused('volume', { from: '2025-01-01', priority: 'High', group: 'department' }, 'from', 'to')
  await refused('tickets', { figure: 'opened', key: 4 }, 'group')
  await refused('tickets', { figure: 'opened', group: 'priority', key: 'Huge' }, 'key')
  await refused('tickets', { figure: 'opened', cursor: 'x' }, 'cursor')
})

test('N9: each figure is explained in the language that is asked for, and the wall tells of now and today without names', async () => {
  const ask = async (language: string) => {
    const response = await fetch(`${desk.url}/api/admin/reports/definitions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'accept-language': language }
    })
    const { data } = (await response.json()) as { data: { definitions: { key: string; title: string }[] } }
    return data.definitions
  }
  const [english, german] = [await ask('en'), await ask('de')]
  const wall = await report('wall', {})

  assert.deepEqual(
    german.map(({ key }) => key),
    english.map(({ key }) => key)
  )
  assert.equal(german.find(({ key }) => key === 'first_response')!.title, 'Erste Antwort')
  assert.ok(wall.open > 0 && wall.opened_today >= 1)
  assert.doesNotMatch(JSON.stringify(wall), /Ada|printer/)
})
