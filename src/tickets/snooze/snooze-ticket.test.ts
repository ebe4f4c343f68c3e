import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { aTicket, limitTo, listedIds, ticketRow } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 8 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const [grace, mary] = [
  await aSupporter(desk, 'tickets.view_all', 'tickets.reply'),
  await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
]
const day = 86_400

const after = (seconds: number) => new Date(desk.clock.now().getTime() + seconds * 1_000).toISOString()
const opened = async (given: object = {}) => (await aTicket(desk, ada, given)).ticket_id as number
const snooze = (by: Person, id: number, body: object = { until: after(day) }) =>
  desk.post('/api/admin/tickets/snooze', by, { id, ...body })
const post = (verb: string, by: Person, body: object) => desk.post(`/api/admin/tickets/${verb}`, by, body)

async function done(path: string, by: Person, body: object) {
  const reply = await desk.post(path, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

async function aSnoozedTicket(body: object = {}) {
  const id = await opened()
  const { status, body: answer } = await snooze(grace, id, { until: after(day), ...body })
  assert.equal(status, 200, answer.message)
  return id
}

const snoozeOf = async (id: number) => (await done('/api/admin/tickets/detail', admin, { id })).ticket.snooze

/** What became of its snooze, as its timeline tells it: kind and cause. */
async function fate(id: number) {
  const events = await desk.db.selectFrom('events').where('ticket_id', '=', id).selectAll().orderBy('id').execute()
  return events
    .filter(({ kind }) => ['ticket.snoozed', 'ticket.woken'].includes(kind))
    .map(({ kind, after }) => (kind === 'ticket.woken' ? (after as { cause: string }).cause : 'snoozed'))
}

test('Z1 a snoozed ticket is so for all: gone from the open views and their counts, in a view of its own, and always found', async () => {
  const before = (await done('/api/admin/tickets/counts', mary, {})) as Record<string, number>
  const [late, soon, endless] = [
    await aSnoozedTicket({ until: after(9 * day) }),
    await aSnoozedTicket({ until: after(2 * day), kind: 'third_party', reason: '  Waiting for the part ' }),
    await aSnoozedTicket({ until: undefined, until_reply: 1 })
  ]
  const own = { search: 'printer', limit: 100 }

  const listed = await listedIds(desk, mary, { limit: 100 })
  const open = await done('/api/admin/tickets/list', mary, { status: ['Open'], limit: 100 })
  const view = await listedIds(desk, mary, { snoozed: 1 })
  const after_ = (await done('/api/admin/tickets/counts', mary, {})) as Record<string, number>

  for (const id of [late, soon, endless]) {
    assert.ok(!listed.includes(id))
    assert.ok(!open.tickets.some((ticket: { id: number }) => ticket.id === id))
    assert.ok((await listedIds(desk, mary, { snoozed: 'any', limit: 100 })).includes(id))
    assert.ok((await listedIds(desk, mary, own)).includes(id))
    assert.ok((await listedIds(desk, mary, { client_id: ada.id, limit: 100 })).includes(id))
    assert.ok(!(await listedIds(desk, mary, { ...own, snoozed: 0 })).includes(id))
  }
  assert.equal(open.total, open.tickets.length)
  assert.deepEqual(view, [soon, late, endless])
  assert.equal((await done('/api/admin/tickets/list', mary, { snoozed: 1 })).total, 3)
  assert.deepEqual([after_.open, after_.unassigned, after_.snoozed], [before.open, before.unassigned, 3])
  const { tickets } = await done('/api/admin/tickets/list', mary, {
    snoozed: 1,
    sort: 'snoozed_until',
    direction: 'asc'
  })
  const { until, ...shown } = tickets[0].snooze
  assert.deepEqual(shown, {
    until_reply: 0,
    kind: 'third_party',
    reason: 'Waiting for the part',
    by: { id: grace.id, first_name: 'Grace', last_name: 'Hopper' }
  })
  assert.ok(Math.abs(Date.parse(until) - Date.parse(after(2 * day))) < 60_000)
  assert.equal(tickets[2].snooze.until, null)
  for (const id of view) await done('/api/admin/tickets/unsnooze', mary, { id })
})

test('Z1 pages of the view go on by cursor through times and those without one', async () => {
  const ids = [await aSnoozedTicket({ until: after(day) }), await aSnoozedTicket({ until: undefined, until_reply: 1 })]
  const view = { snoozed: 1, sort: 'snoozed_until', direction: 'asc', limit: 1 }

  const first = await done('/api/admin/tickets/list', mary, view)
  const second = await done('/api/admin/tickets/list', mary, { ...view, cursor: first.next_cursor })

  assert.deepEqual([first.tickets[0].id, second.tickets[0].id, second.next_cursor], [...ids, null])
  for (const id of ids) await done('/api/admin/tickets/unsnooze', mary, { id })
})

test('Z1 whoever takes the next ticket is not given a snoozed one', async () => {
  const own = await bootDesk()
  const [client, staff] = [await aClient(own), await anAdmin(own)]
  const { ticket_id: id } = await aTicket(own, client)
  await own.post('/api/admin/tickets/snooze', staff, { id, until_reply: 1 })

  const { data } = await own.post('/api/admin/tickets/next', staff, {})

  assert.equal(data.ticket, null)
})

test('Z4 a second snooze takes the place of the first, and its event tells of both', async () => {
  const id = await aSnoozedTicket({ reason: 'First' })

  const { data } = await snooze(mary, id, { until: after(2 * day), until_reply: 1, kind: 'customer', reason: 'Second' })

  assert.deepEqual([data.snooze.reason, data.snooze.kind, data.snooze.until_reply], ['Second', 'customer', 1])
  assert.equal(data.snooze.by.id, mary.id)
  const last = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', id)
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [(last.before as { reason: string }).reason, (last.after as { reason: string }).reason],
    ['First', 'Second']
  )
})

test('Z6 a time that is over, more than a year away, without an offset or none at all is refused, and nothing is written', async () => {
  const id = await opened()
  const inLocalTime = after(day).slice(0, 19)
  const refused: [object, string[]][] = [
    [{ until: after(0) }, ['until']],
    [{ until: after(-day) }, ['until']],
    [{ until: after(367 * day) }, ['until']],
    [{ until: inLocalTime }, ['until']],
    [{ until: inLocalTime.slice(0, 10) }, ['until']],
    [{ until: 'tomorrow' }, ['until']],
    [{ until: '2026-02-30T08:00:00Z' }, ['until']],
    [{ until: '2027-02-30T08:00:00+01:00' }, ['until']],
    [{}, ['until']],
    [{ until_reply: 0 }, ['until']],
    [{ until: after(day), until_next_open: 1 }, ['until', 'until_next_open']],
    [{ until_next_open: 4711 }, ['until_next_open']],
    [{ until: after(day), kind: 'nobody' }, ['kind']],
    [{ until: after(day), reason: 'x'.repeat(201) }, ['reason']]
  ]
  const before = await desk.rowCounts()

  for (const [body, errors] of refused) {
    for (const reply of [
      await snooze(grace, id, body),
      await post('bulk', grace, { ids: [id], action: 'snooze', ...body })
    ]) {
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.deepEqual(reply.body.errors, errors, JSON.stringify(body))
    }
  }

  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await snooze(grace, id, { until: after(364 * day) })).status, 200)
  assert.equal((await snooze(grace, id, { until: after(day).replace('Z', '+00:00') })).status, 200)
})

test('whoever may reply or edit snoozes what they see, with the version they know; what is not seen is not there', async () => {
  const id = await opened()
  const [blind, deleter] = [
    await aSupporter(desk, 'tickets.reply'),
    await aSupporter(desk, 'tickets.view_all', 'tickets.delete')
  ]
  const other = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  await limitTo(desk, other.id, 5)
  const { version } = await ticketRow(desk, id)

  assert.equal((await snooze(deleter, id)).status, 403)
  assert.equal((await post('bulk', deleter, { ids: [id], action: 'snooze', until: after(day) })).status, 403)
  assert.equal((await snooze(blind, id)).status, 404)
  assert.equal((await snooze(other, id)).status, 404)
  assert.equal((await post('unsnooze', other, { id })).status, 404)
  assert.equal((await snooze(grace, id, { until: after(day), expected_version: version + 1 })).status, 409)
  const { status, data } = await snooze(mary, id, { until: after(day), expected_version: version })
  assert.deepEqual([status, data.ticket_id, data.version], [200, id, (await ticketRow(desk, id)).version])
  assert.ok(data.version > version)
  assert.equal((await snooze(mary, id, { until: after(day), expected_version: version })).status, 409)
})

test('by number and by path, in a form too; waking one that is not snoozed changes nothing', async () => {
  const id = await opened()
  const { ticket_number } = await ticketRow(desk, id)
  const body = { until: after(day), until_reply: '1' }

  const named = await desk.post('/api/admin/tickets/snooze', grace, { id: ticket_number, ...body }, 'form')
  const woken = await desk.post(`/api/admin/tickets/${id}/unsnooze`, grace, {})
  const again = await desk.post(`/api/admin/tickets/${id}/unsnooze`, grace, {})
  const byPath = await desk.post(`/api/admin/tickets/${id}/snooze`, grace, body)

  assert.deepEqual([named.status, named.data.snooze.until_reply, byPath.status], [200, 1, 200])
  assert.deepEqual([woken.data.snooze, again.data.snooze], [null, null])
  assert.equal(again.data.version, woken.data.version)
  assert.deepEqual(await fate(id), ['snoozed', 'staff', 'snoozed'])
})

test('many are snoozed and woken in bulk, and each is undone by whoever did it', async () => {
  const ids = [await opened(), await opened()]
  const until = after(day)

  const snoozed = await done('/api/admin/tickets/bulk', grace, {
    ids,
    action: 'snooze',
    until,
    kind: 'own',
    reason: 'Later'
  })
  const undone = await post('undo', grace, { id: ids[0]! })
  const again = await post('undo', grace, { id: ids[0]! })
  const woken = await done('/api/admin/tickets/bulk', grace, { ids, action: 'unsnooze' })
  const back = await post('undo', grace, { id: ids[1]! })

  assert.deepEqual([snoozed.done, woken.done], [ids, ids])
  assert.deepEqual([undone.status, undone.data.ticket.snooze, again.body.reason], [200, null, 'nothing_to_undo'])
  assert.deepEqual([back.status, back.data.ticket.snooze.until, back.data.ticket.snooze.reason], [200, until, 'Later'])
  assert.deepEqual(await fate(ids[0]!), ['snoozed', 'staff'])
  assert.deepEqual(await fate(ids[1]!), ['snoozed', 'staff', 'snoozed'])
})

test('undoing a second snooze brings back the first, and undoing a closing or an assignment the snooze that it ended', async () => {
  const [replaced, closed, assigned] = [await aSnoozedTicket(), await aSnoozedTicket(), await aSnoozedTicket()]
  const before = await Promise.all([replaced, closed, assigned].map(snoozeOf))
  await snooze(mary, replaced, { until_reply: 1 })
  await done('/api/admin/tickets/status', mary, { id: closed, status: 'Closed' })
  await done('/api/admin/tickets/assign', mary, { id: assigned, assigned_staff_id: mary.id })

  for (const id of [replaced, closed, assigned]) assert.equal((await post('undo', mary, { id })).status, 200)

  assert.deepEqual(await Promise.all([replaced, closed, assigned].map(snoozeOf)), before)
  const { status, assigned_staff_id } = await ticketRow(desk, assigned)
  assert.deepEqual([status, assigned_staff_id, (await ticketRow(desk, closed)).status], ['Open', null, 'Open'])
})

test('a change since then, a wake by the client too, is not undone over', async () => {
  const [woken, closed] = [await aSnoozedTicket(), await aSnoozedTicket()]
  await done('/api/tickets/reply', ada, { id: woken, message: 'Any news?' })
  await done('/api/tickets/status', ada, { id: closed, status: 'Closed' })

  for (const id of [woken, closed]) assert.equal((await post('undo', grace, { id })).body.reason, 'changed_since')
})

test('clients never see a snooze: neither in their tickets nor in the time of the last change, nor in an e-mail', async () => {
  const canary = 'canary 4711'
  const id = await opened()
  const shown = async () =>
    JSON.stringify([
      await done('/api/tickets/detail', ada, { id }),
      await done('/api/tickets/list', ada, {}),
      await done('/api/tickets/search', ada, { query: 'printer' })
    ])
  await desk.deliver()
  desk.clock.turn(60)
  await desk.deliver()
  const [before, sent] = [await shown(), desk.outbox.emails.length]

  await snooze(grace, id, { until: after(day), kind: 'third_party', reason: canary })
  const snoozed = await shown()
  await done('/api/admin/tickets/unsnooze', grace, { id })
  desk.clock.turn(60)
  await desk.deliver()

  assert.equal(snoozed, before)
  assert.equal(await shown(), before)
  assert.equal(desk.outbox.emails.slice(sent).filter(({ to }) => to === ada.email).length, 0)
  assert.doesNotMatch(JSON.stringify(desk.outbox.emails), /canary 4711/)
})

test('Z6 until the next opening of a calendar: the morning of a changed clock is right, and one that never closes is refused', async () => {
  const own = await bootDesk({ config: { TEST_CLOCK: true } })
  const [client, staff] = [await aClient(own), await anAdmin(own)]
  await own.post('/api/test/clock', staff, { now: '2026-03-28T18:00:00+01:00' })
  const { ticket_id: id } = await aTicket(own, client)
  const office = { name: 'Berlin', time_zone: 'Europe/Berlin', is_always: 0, days: [] }
  const weeks = [{ valid_from: null, hours: { sun: [['09:00', '17:00']] } }]
  const { data } = await own.post('/api/admin/calendars/create', staff, { ...office, weeks })
  const always = await own.db
    .selectFrom('calendars')
    .where('is_always', '=', true)
    .select('id')
    .executeTakeFirstOrThrow()

  const snoozed = await own.post('/api/admin/tickets/snooze', staff, { id, until_next_open: data.calendar.id })
  const refused = await own.post('/api/admin/tickets/snooze', staff, { id, until_next_open: always.id })

  assert.deepEqual([snoozed.status, snoozed.data?.snooze.until], [200, '2026-03-29T07:00:00.000Z'])
  assert.deepEqual([refused.status, refused.body.errors], [400, ['until_next_open']])
  await own.post('/api/test/clock', staff, { now: '2026-03-29T07:00:00Z' })
  assert.equal((await own.post('/api/admin/tickets/detail', staff, { id })).data.ticket.snooze, null)
})
