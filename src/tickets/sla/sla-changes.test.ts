import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient } from '../../../test/support/people.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const { desk, admin, client, berlin, at, opened, clockTo, clocksOf, toldOf } = await bootSlaDesk()

const standard = {
  targets: [
    ...targets('first_response', { Medium: 240 }, berlin),
    ...targets('next_response', { Medium: 120 }, berlin),
    ...targets('resolution', { Medium: 960 }, berlin)
  ]
}
await clockTo('2026-03-09T07:00:00Z')
const before = (await aTicket(desk, client)).ticket_id
await clockTo('2026-03-09T07:00:01Z')
const policy = await aPolicy(desk, admin, berlin, standard)

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC. The 9th is a Monday.

async function clock(ticket: number, metric: string) {
  const found = (await clocksOf(ticket)).findLast(each => each.metric === metric)
  assert.ok(found, `a clock of ${metric}`)
  return found
}

test('S1: a new policy takes open tickets at once if it is asked to, counted from where they would have begun', async () => {
  const without = await clocksOf(before)
  await at('2026-03-09T10:00:00Z', '/api/admin/sla-policies/update', {
    id: policy.id,
    warn_minutes: 20,
    apply_to_open: 1
  })
  await clockTo('2026-03-09T10:00:06Z')

  assert.deepEqual(without, [])
  assert.equal((await clock(before, 'first_response')).due_at, '2026-03-09T12:00:00.000Z')
  assert.equal((await clock(before, 'resolution')).counted_seconds, 2 * 3600 + 6)
})

test('S3: a ticket that staff open has no first response, unless the client waits for one', async () => {
  const given = { client_id: client.id, department_id: 1, subject: 'Called', message: 'Ada called' }
  const spoken = await at('2026-03-10T08:00:00Z', '/api/admin/tickets/create', given)
  const waiting = await at('2026-03-10T08:00:00Z', '/api/admin/tickets/create', { ...given, client_waits: 1 })
  await at('2026-03-10T09:00:00Z', '/api/tickets/reply', { id: spoken.ticket.id, message: 'And?' }, client)

  assert.deepEqual(
    (await clocksOf(spoken.ticket.id)).map(({ metric }) => metric),
    ['resolution', 'next_response']
  )
  assert.equal((await clock(waiting.ticket.id, 'first_response')).due_at, '2026-03-10T12:00:00.000Z')
})

test('S13: what is merged drops its clocks, its waiting message counts in the target, and both are folded anew', async () => {
  const source = await opened('2026-03-11T08:00:00Z')
  const target = await opened('2026-03-11T09:00:00Z')
  await at('2026-03-11T09:30:00Z', '/api/admin/tickets/reply', { id: target, message: 'Which printer?' })
  await at('2026-03-11T09:40:00Z', '/api/admin/tickets/merge', { id: source, into_id: target })
  const merged = [await clock(source, 'first_response'), await clock(target, 'next_response')]
  await at('2026-03-11T09:50:00Z', '/api/admin/tickets/unmerge', { id: source })

  assert.deepEqual(
    merged.map(({ state, due_at }) => [state, due_at]),
    [
      ['dropped', '2026-03-11T12:00:00.000Z'],
      ['running', '2026-03-11T10:00:00.000Z']
    ]
  )
  assert.equal((await clock(target, 'next_response')).state, 'dropped')
  assert.equal((await clock(source, 'first_response')).due_at, '2026-03-11T12:00:00.000Z')
})

test('S14: what is split off waits since its own message, and the former ticket no longer does for it', async () => {
  const source = await opened('2026-03-12T08:00:00Z')
  await at('2026-03-12T09:00:00Z', '/api/tickets/reply', { id: source, message: 'Another matter' }, client)
  const { messages } = await at('2026-03-12T10:00:00Z', '/api/admin/tickets/detail', { id: source })
  const split = { id: source, message_ids: [messages[1].id], subject: 'The other matter' }
  const { ticket_id: target } = await at('2026-03-12T10:00:00Z', '/api/admin/tickets/split', split)

  assert.equal((await clock(source, 'first_response')).due_at, '2026-03-12T12:00:00.000Z')
  assert.equal((await clock(target, 'first_response')).due_at, '2026-03-12T13:00:00.000Z')
  assert.equal((await clock(target, 'resolution')).due_at, '2026-03-16T10:00:00.000Z')
  assert.ok(!(await toldOf(target)).some(([kind]) => kind === 'sla.breached'))
})

test('S13: of a ticket that was merged into one that was merged, each that is separated is folded anew with what comes along', async () => {
  const due = async (ticket: number, metric: string) => {
    const { state, due_at } = await clock(ticket, metric)
    return state === 'running' ? due_at!.slice(11, 16) : state
  }
  const friday = (time: string) => `2026-03-13T${time}:00Z`
  const merge = async (time: string, id: number, into_id: number) =>
    await at(friday(time), '/api/admin/tickets/merge', { id, into_id })
  const unmerge = async (time: string, id: number) => await at(friday(time), '/api/admin/tickets/unmerge', { id })

  const [a, b, c] = [await opened(friday('08:00')), await opened(friday('08:30')), await opened(friday('09:00'))]
  await at(friday('09:10'), '/api/admin/tickets/reply', { id: c, message: 'Which printer?' })
  await merge('09:20', a, b)
  await merge('09:30', b, c)
  assert.equal(await due(c, 'next_response'), '10:00')
  await unmerge('09:40', b)
  assert.deepEqual([await due(a, 'first_response'), await due(b, 'first_response')], ['dropped', '12:00'])
  assert.equal(await due(c, 'next_response'), 'dropped')
  await unmerge('09:50', a)
  assert.deepEqual([await due(a, 'first_response'), await due(b, 'first_response')], ['12:00', '12:30'])

  const [d, e, f] = [await opened(friday('10:00')), await opened(friday('10:30')), await opened(friday('11:00'))]
  await at(friday('11:10'), '/api/admin/tickets/reply', { id: f, message: 'Which printer?' })
  await merge('11:20', d, e)
  await merge('11:30', e, f)
  await unmerge('11:40', d)
  assert.deepEqual([await due(d, 'first_response'), await due(f, 'next_response')], ['14:00', '12:30'])
  await unmerge('11:50', e)
  assert.deepEqual([await due(e, 'first_response'), await due(f, 'next_response')], ['14:30', 'dropped'])
})

test('S15: for an anonymized client the clocks end, and none begin again', async () => {
  const other = await aClient(desk)
  await clockTo('2026-03-16T08:00:00Z')
  const { ticket_id } = await aTicket(desk, other)
  const { email } = (await at('2026-03-16T09:00:00Z', '/api/admin/clients/detail', { id: other.id })).client
  const erasure = { id: other.id, mode: 'anonymize', confirm_email: email }
  await at('2026-03-16T09:00:00Z', '/api/admin/clients/delete', erasure)
  await at('2026-03-16T10:00:00Z', '/api/tickets/status', { id: ticket_id, status: 'Answered' }, admin)

  assert.deepEqual(
    (await toldOf(ticket_id)).map(([kind]) => kind),
    ['sla.started', 'sla.started', 'sla.withdrawn']
  )
  assert.ok((await clocksOf(ticket_id)).every(({ state }) => state === 'withdrawn'))
})

test('S11: a holiday that is added moves running clocks, with the event that did it', async () => {
  const ticket = await opened('2026-03-17T14:00:00Z')
  const days = [{ date: '2026-03-18', name: 'Inventory', hours: [] }]
  await at('2026-03-17T15:00:00Z', '/api/admin/calendars/days', { id: berlin.id, days, year: 2026 })
  await clockTo('2026-03-17T15:00:06Z')

  const moved = await clock(ticket, 'first_response')
  assert.equal(moved.due_at, '2026-03-19T10:00:00.000Z')
  assert.deepEqual(
    moved.earlier.map(({ due_at, cause, event }) => [due_at, cause, event]),
    [['2026-03-18T10:00:00.000Z', 'calendar', 'calendar.changed']]
  )
  assert.ok(moved.steps.some(({ kind, why }) => kind === 'closed' && why === 'Inventory'))
  assert.match(moved.text, /closed on Inventory/)
})

test('Z5: where the policy does not say so, the solution runs on while the ticket is snoozed', async () => {
  const ticket = await opened('2026-03-19T08:00:00Z')
  const due = (await clock(ticket, 'resolution')).due_at
  await at('2026-03-19T09:00:00Z', '/api/admin/tickets/snooze', { id: ticket, until: '2026-03-19T12:00:00Z' })
  const snoozed = await clock(ticket, 'resolution')
  await clockTo('2026-03-19T12:30:00Z')

  assert.deepEqual([snoozed.state, snoozed.pause_reason, snoozed.due_at], ['running', null, due])
  const woken = await clock(ticket, 'resolution')
  assert.deepEqual([woken.due_at, woken.counted_seconds], [due, 4.5 * 3600])
})

test('what is shown is never behind: an event counts before the log was read', async () => {
  const ticket = await opened('2026-03-20T08:00:00Z')
  const open = await clock(ticket, 'first_response')
  await desk.post('/api/admin/tickets/reply', admin, { id: ticket, message: 'Soon' })

  const met = await clock(ticket, 'first_response')
  const stored = await desk.db.selectFrom('sla_clocks').where('ticket_id', '=', ticket).select('id').execute()
  assert.deepEqual([open.state, met.state, stored.length], ['running', 'met', 0])
})

test('the words are in the language that the request prefers', async () => {
  const response = await fetch(`${desk.url}/api/admin/tickets/sla`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'accept-language': 'de-DE, en;q=0.5'
    },
    body: JSON.stringify({ id: before })
  })

  const { data } = (await response.json()) as { data: { clocks: { text: string }[] } }
  assert.match(data.clocks[0]!.text, /^Eröffnet Mo.? 9\. März, 08:00: eine Antwort binnen 4 Stunden nach „/)
})

test('a client learns nothing of clocks: not by the explanation, the feed, the ticket or its list', async () => {
  const ticket = await opened('2026-03-23T08:00:00Z')
  await clockTo('2026-03-24T08:00:00Z')
  const refused = await desk.post('/api/admin/tickets/sla', client, { id: ticket })
  const answers = await Promise.all([
    desk.post('/api/events/list', client, { after: 0, limit: 200 }),
    desk.post('/api/tickets/detail', client, { id: ticket }),
    desk.post('/api/tickets/list', client)
  ])

  assert.equal(refused.status, 403)
  assert.ok((await toldOf(ticket)).some(([kind]) => kind === 'sla.breached'))
  for (const { body } of answers) assert.doesNotMatch(JSON.stringify(body), /"sla|breach|due_at/)
})

test('S12: an archived policy withdraws its clocks at once, with one event, and the next takes over', async () => {
  const ticket = await opened('2026-03-25T08:00:00Z')
  await aPolicy(desk, admin, berlin, { targets: targets('first_response', { Medium: 300 }, berlin) })
  await at('2026-03-25T09:00:00Z', '/api/admin/sla-policies/archive', { id: policy.id })
  await clockTo('2026-03-25T09:00:06Z')

  assert.deepEqual(
    (await clocksOf(ticket)).map(({ metric, state, due_at }) => [metric, state, due_at]),
    [
      ['first_response', 'withdrawn', '2026-03-25T12:00:00.000Z'],
      ['resolution', 'withdrawn', '2026-03-26T16:00:00.000Z'],
      ['first_response', 'running', '2026-03-25T13:00:00.000Z']
    ]
  )
  assert.equal((await toldOf(ticket)).filter(([kind]) => kind === 'sla.withdrawn').length, 1)
})

test('S1, S12: what happened just before a policy was created or archived counts by the policies of then', async () => {
  const before = await opened('2026-03-26T08:00:00Z')
  const { id } = await aPolicy(desk, admin, berlin, {
    targets: targets('first_response', { Low: 60 }, berlin),
    conditions: { all: [{ any: [{ field: 'priority', op: 'is', value: 'Low' }] }] }
  })
  const opening = { department_id: 1, subject: 'Low', message: 'Some day', priority: 'Low' }
  const low = (await desk.post('/api/tickets/create', client, opening)).data.ticket_id
  await desk.post('/api/admin/sla-policies/reorder', admin, { ids: [id] })
  const first = (await desk.post('/api/tickets/create', client, opening)).data.ticket_id
  await desk.post('/api/admin/sla-policies/archive', admin, { id })
  await clockTo('2026-03-26T08:00:06Z')

  const clocksSeen = async (ticket: number) =>
    (await clocksOf(ticket)).map(({ state, target }) => [state, target.minutes])
  assert.deepEqual(await clocksSeen(before), [['running', 300]])
  assert.deepEqual(await clocksSeen(low), [])
  assert.deepEqual(await clocksSeen(first), [['withdrawn', 60]])
})

test('S8: a calendar by which a clock has counted is not deleted, also once no policy names it', async () => {
  const week = { valid_from: null, hours: { mon: [['09:00', '17:00']] } }
  const asked = { name: 'Counted once', time_zone: 'Europe/Berlin', weeks: [week] }
  const { calendar } = await at('2026-03-27T08:00:00Z', '/api/admin/calendars/create', asked)
  const { id } = await aPolicy(desk, admin, calendar, {
    targets: targets('first_response', { Critical: 60 }, calendar),
    conditions: { all: [{ any: [{ field: 'priority', op: 'is', value: 'Critical' }] }] }
  })
  await at('2026-03-27T08:00:00Z', '/api/admin/sla-policies/reorder', { ids: [id] })
  const ticket = await opened('2026-03-27T08:00:00Z', { priority: 'Critical' })
  await clockTo('2026-03-27T08:00:06Z')
  await at('2026-03-27T08:01:00Z', '/api/admin/sla-policies/archive', { id })
  await clockTo('2026-03-27T08:01:06Z')

  const refused = await desk.post('/api/admin/calendars/delete', admin, { id: calendar.id })
  const archived = await desk.post('/api/admin/calendars/archive', admin, { id: calendar.id })

  assert.deepEqual([refused.status, refused.body.reason], [409, 'calendar_has_clocks'])
  assert.equal(archived.status, 200)
  assert.equal((await clocksOf(ticket))[0]!.target.calendar.name, 'Counted once')
})
