import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { bootRulesDesk } from '../../../test/support/rules.ts'
import { aCalendar, aPolicy } from '../../../test/support/sla.ts'
import { aTicket, ticketRow } from '../../../test/support/tickets.ts'

const { desk, ada, admin, grace, opened, outcomes, runsOf } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

const sent = async (path: string, body: object) => {
  const reply = await desk.post(path, admin, body)
  assert.ok(reply.status < 300, `${path}: ${reply.body.message}`)
  return reply.data
}
const later = (minutes: number) => sent('/api/test/clock', { advance_seconds: minutes * 60 })

await sent('/api/test/clock', { now: '2030-03-11T09:00:00Z' })
const { organisation } = await sent('/api/admin/organisations/create', { name: 'Acme' })
await sent('/api/admin/tags/create', { name: 'gold' })
const hedy = await aSupporter(desk, 'tickets.reply')
await sent('/api/admin/departments/members', { id: 1, staff_ids: [grace.id, hedy.id] })

/** The rule of a template, switched on as it is. */
async function switchedOn(key: string): Promise<number> {
  const { templates } = await sent('/api/admin/rules/templates/list', {})
  const { rule } = templates.find((template: { key: string }) => template.key === key)
  return (await sent('/api/admin/rules/create', { ...rule, is_active: 1 })).rule.id
}
const switchedOff = (id: number) => sent('/api/admin/rules/delete', { id })

test('the template vip_first and tag_by_organisation raise and tag the tickets of an organisation alone', async () => {
  const rules = [await switchedOn('vip_first'), await switchedOn('tag_by_organisation')]
  const bob = await aClient(desk)
  await sent('/api/admin/clients/update', { id: bob.id, organisation_id: organisation.id })
  const [theirs, other] = [(await aTicket(desk, bob)).ticket_id, await opened()]
  await later(1)

  const { ticket } = await sent('/api/admin/tickets/detail', { id: theirs })
  assert.deepEqual([ticket.priority, ticket.tags[0].name], ['High', 'gold'])
  assert.deepEqual(
    await outcomes(theirs),
    rules.map(id => [id, 'ran', 0])
  )
  assert.deepEqual([(await ticketRow(desk, other)).priority, await outcomes(other)], ['Medium', []])
  for (const id of rules) await switchedOff(id)
})

test('the template round_robin hands out new tickets in turn', async () => {
  const rule = await switchedOn('round_robin')
  const tickets = [await opened(), await opened(), await opened()]
  await later(1)

  const assignees = await Promise.all(tickets.map(async id => (await ticketRow(desk, id)).assigned_staff_id))
  assert.deepEqual(new Set(assignees.slice(0, 2)), new Set([grace.id, hedy.id]))
  assert.equal(assignees[2], assignees[0])
  await switchedOff(rule)
})

test('the template snooze_over tells the assignee before a snooze ends', async () => {
  const rule = await switchedOn('snooze_over')
  const ticket = await opened()
  await sent('/api/admin/tickets/assign', { id: ticket, staff_id: grace.id })
  const until = new Date(desk.services.clock.now().getTime() + 3_600_000).toISOString()
  await sent('/api/admin/tickets/snooze', { id: ticket, until, kind: 'third_party' })
  await later(44)
  assert.deepEqual(await outcomes(ticket), [])
  await later(2)

  assert.deepEqual(await outcomes(ticket), [[rule, 'ran', 0]])
  const [run] = await runsOf(ticket)
  assert.deepEqual(run.detail.actions, [{ notify_staff: 'done', from: null, to: [grace.id] }])
  await switchedOff(rule)
})

test('the template escalate_breach raises what was not answered in time, and tells the department', async () => {
  const rule = await switchedOn('escalate_breach')
  const reader = await aSupporter(desk, 'tickets.view_all')
  await sent('/api/admin/departments/members', { id: 1, staff_ids: [grace.id, hedy.id, reader.id] })
  const allDay = [['00:00', '24:00']]
  const hours = { mon: allDay, tue: allDay, wed: allDay, thu: allDay, fri: allDay, sat: allDay, sun: allDay }
  await aPolicy(desk, admin, await aCalendar(desk, { hours }), { is_active: 1 })
  const [late, answered] = [await opened(), await opened()]
  await sent('/api/admin/tickets/reply', { id: answered, message: 'An answer' })
  await later(239)
  assert.deepEqual(await outcomes(late), [])
  await later(2)

  assert.equal((await ticketRow(desk, late)).priority, 'Critical')
  assert.deepEqual(await outcomes(late), [[rule, 'ran', 0]])
  assert.deepEqual((await runsOf(late))[0].detail.actions[1].to, [reader.id])
  assert.deepEqual([(await ticketRow(desk, answered)).priority, await outcomes(answered)], ['Medium', []])
  await switchedOff(rule)
})

test('the template out_of_hours tells who writes while nobody works when the desk opens next', async () => {
  const { id: berlin } = await aCalendar(desk, { hours: { mon: [['09:00', '17:00']] } })
  const { templates } = await sent('/api/admin/rules/templates/list', {})
  const { rule } = templates.find((template: { key: string }) => template.key === 'out_of_hours')
  const [written, closed] = rule.conditions.all
  const conditions = { all: [written, { any: [{ ...closed.any[0], value: [berlin] }] }] }
  const [{ email_client }] = rule.actions
  const actions = [{ email_client: { ...email_client, calendar_id: berlin } }]
  const id = (await sent('/api/admin/rules/create', { ...rule, conditions, actions, is_active: 1 })).rule.id
  await desk.db.updateTable('clients').set({ language: 'de' }).where('id', '=', ada.id).execute()

  await sent('/api/test/clock', { now: '2030-03-18T10:00:00Z' })
  const during = await opened()
  await later(1)
  await sent('/api/test/clock', { now: '2030-03-18T20:00:00Z' })
  const after = await opened()
  await later(1)

  assert.deepEqual(await outcomes(during), [])
  assert.deepEqual(await outcomes(after), [[id, 'ran', 0]])
  const email = (await desk.deliver()).emails.findLast(({ subject }) => subject.includes('we read this'))
  assert.match(email!.subject, /Montag, 25\. März um 09:00 MEZ/)
  await switchedOff(id)
})

test('the template reopen_or_new reopens for 14 days, and later begins a new ticket that is linked', async () => {
  const rule = await switchedOn('reopen_or_new')
  const closedTicket = async () => {
    const ticket = await opened()
    await sent('/api/admin/tickets/status', { id: ticket, status: 'Closed' })
    return ticket
  }
  const replied = async (id: number, message: string) => {
    const reply = await desk.post('/api/tickets/reply', ada, { id, message })
    assert.equal(reply.status, 201, reply.body.message)
  }
  const [early, late] = [await closedTicket(), await closedTicket()]
  await later(14 * 24 * 60 - 1)
  await replied(early, 'It is broken again')
  await later(2)
  await replied(late, 'It is broken again')
  await replied(late, 'Are you there?')
  await later(1)

  assert.deepEqual([(await ticketRow(desk, early)).status, await outcomes(early)], ['Customer-Reply', []])
  assert.deepEqual([(await ticketRow(desk, late)).status, await outcomes(late)], ['Closed', [[rule, 'ran', 0]]])
  const { links, messages } = await sent('/api/admin/tickets/detail', { id: late })
  assert.equal(messages.length, 1)
  const [link] = links
  assert.equal(link.kind, 'split_from')
  const fresh = await sent('/api/admin/tickets/detail', { id: link.ticket.id })
  assert.deepEqual(
    [fresh.ticket.status, fresh.messages.map(({ message }: { message: string }) => message)],
    ['Open', ['It is broken again', 'Are you there?']]
  )
  await switchedOff(rule)
})

test('the template thanks_stays_closed watches first, and then leaves a ticket closed after a short thank-you alone', async () => {
  const rule = await switchedOn('thanks_stays_closed')
  const answered = async (message: string) => {
    const ticket = await opened()
    await sent('/api/admin/tickets/status', { id: ticket, status: 'Closed' })
    assert.equal((await desk.post('/api/tickets/reply', ada, { id: ticket, message })).status, 201)
    await later(1)
    return ticket
  }
  const watched = await answered('Thank you, that was it!')
  assert.deepEqual(
    (await outcomes(watched)).map(([, outcome]) => outcome),
    ['watched']
  )
  assert.equal((await ticketRow(desk, watched)).status, 'Customer-Reply')
  await sent('/api/admin/rules/update', { id: rule, watch_only: 0 })

  const thanks = await answered('Vielen Dank!')
  const more = await answered(
    'Thank you, but it is still broken: since this morning it prints every page twice, and slowly'
  )
  const other = await answered('It is broken again')

  assert.equal((await ticketRow(desk, thanks)).status, 'Closed')
  assert.deepEqual(
    [(await ticketRow(desk, more)).status, (await ticketRow(desk, other)).status],
    ['Customer-Reply', 'Customer-Reply']
  )
  const [run] = await runsOf(thanks)
  assert.ok(!JSON.stringify(run).includes('Vielen'), 'the log of runs holds no words of the client')
  await switchedOff(rule)
})

test('what is split off and which calendar is open is refused where it means nothing', async () => {
  const refused = async (path: string, body: object) => {
    const reply = await desk.post(path, admin, body)
    assert.equal(reply.status, 400, reply.body.message)
    return reply.body.errors
  }
  const split = { actions: [{ split_off: { subject: '{{ticket.subject}}' } }] }
  const rule = { name: 'New ones', trigger: { events: ['ticket.created', 'ticket.replied'] }, ...split }
  assert.deepEqual(await refused('/api/admin/rules/create', rule), ['actions.0.split_off'])
  assert.deepEqual(await refused('/api/admin/macros/create', { name: 'New', ...split, is_shared: 1 }), [
    'actions.0.split_off'
  ])

  const closed = (value: unknown) => ({ all: [{ any: [{ field: 'event.open_calendars', op: 'has_none', value }] }] })
  const on = { name: 'Closed', trigger: { events: ['ticket.created'] }, actions: [{ note: 'Closed' }] }
  assert.deepEqual(await refused('/api/admin/rules/create', { ...on, conditions: closed([999]) }), [
    'conditions.all.0.any.0.value'
  ])
  assert.deepEqual(await refused('/api/admin/rules/create', { ...on, conditions: closed(['Berlin']) }), [
    'conditions.all.0.any.0.value'
  ])
  const timer = { ...on, trigger: { timer: { basis: 'created', minutes: 5 } }, conditions: closed([1]) }
  assert.deepEqual(await refused('/api/admin/rules/create', timer), ['conditions.all.0.any.0.field'])
  const email = { email_client: { subject: 'Later', text: 'Later', calendar_id: 999 } }
  assert.deepEqual(await refused('/api/admin/rules/create', { ...on, actions: [email] }), ['actions.0.email_client'])
})
