import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { bootRulesDesk } from '../../../test/support/rules.ts'
import { aCalendar, aPolicy } from '../../../test/support/sla.ts'
import { aTicket, ticketRow } from '../../../test/support/tickets.ts'

const { desk, admin, grace, opened, outcomes, runsOf } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

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
})
