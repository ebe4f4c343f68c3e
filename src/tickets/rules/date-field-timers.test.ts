import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { aField } from '../../../test/support/fields.ts'
import { aRule, bootRulesDesk } from '../../../test/support/rules.ts'
import { ticketRow } from '../../../test/support/tickets.ts'

const { desk, admin, opened, outcomes, update } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

const clock = async (body: object) => {
  const reply = await desk.post('/api/test/clock', admin, body)
  assert.equal(reply.status, 200, reply.body.message)
}
const later = (minutes: number) => clock({ advance_seconds: minutes * 60 })
const zone = async (time_zone: string) => {
  const reply = await desk.post('/api/admin/settings/update', admin, { time_zone })
  assert.equal(reply.status, 200, reply.body.message)
}
const dueOf = async (ticket: number) =>
  (await desk.db.selectFrom('rule_timers').where('ticket_id', '=', ticket).select('due_at').execute()).map(
    ({ due_at }) => due_at.toISOString()
  )

await clock({ now: '2030-03-11T09:00:00Z' })
await zone('Europe/Berlin')
const day = await aField(desk, admin, { kind: 'date' })
const on = (minutes: number, given: object = {}) => ({
  timer: { basis: 'date_field', field_id: day.id, minutes, ...given }
})

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

test('R8 a timer on a date falls due by 00:00 of its day where the desk is, and moves with it', async () => {
  const rule = await aRule(desk, admin, { trigger: on(60, { direction: 'before' }) })
  const ticket = await opened()
  await later(1)
  assert.deepEqual(await dueOf(ticket), [])

  await update(ticket, { fields: { [day.key]: '2030-03-20' } })
  await later(1)
  assert.deepEqual(await dueOf(ticket), ['2030-03-19T22:00:00.000Z'])

  // Summer time has begun by then.
  await update(ticket, { fields: { [day.key]: '2030-04-02' } })
  await later(1)
  assert.deepEqual(await dueOf(ticket), ['2030-04-01T21:00:00.000Z'])
  await update(ticket, { fields: { [day.key]: null } })
  await later(1)
  assert.deepEqual(await dueOf(ticket), [])

  await update(ticket, { fields: { [day.key]: '2030-03-13' } })
  await clock({ now: '2030-03-12T21:59:00Z' })
  assert.deepEqual(await outcomes(ticket), [])
  await later(2)
  assert.deepEqual(await outcomes(ticket), [[rule.id, 'ran', 0]])
  assert.equal((await ticketRow(desk, ticket)).priority, 'High')
})

test('R10 a timer on a date takes the tickets that are there, and moves with the time zone of the desk', async () => {
  const ticket = await opened()
  await update(ticket, { fields: { [day.key]: '2030-06-01' } })
  const rule = await aRule(desk, admin, { trigger: on(30) })
  await later(1)
  assert.deepEqual(await dueOf(ticket), ['2030-05-31T22:30:00.000Z'])

  await zone('America/New_York')
  await later(1)
  assert.deepEqual(await dueOf(ticket), ['2030-06-01T04:30:00.000Z'])
  await zone('Europe/Berlin')
  assert.deepEqual(await outcomes(ticket), [])
  assert.equal(rule.paused_reason, null)
})

test('a day that fired does not fire again where the desk moves west, and one that waits is not lost where it moves east', async () => {
  const rule = await aRule(desk, admin, { trigger: on(1) })
  const [fired, waiting] = [await opened(), await opened()]
  const today = desk.services.clock.now().toISOString().slice(0, 10)
  const next = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  await zone('Europe/Berlin')
  await update(fired, { fields: { [day.key]: next(2) } })
  await clock({ now: `${next(2)}T00:30:00Z` })
  assert.deepEqual(await outcomes(fired), [[rule.id, 'ran', 0]])

  await zone('America/New_York')
  await update(waiting, { fields: { [day.key]: next(3) } })
  await later(24 * 60)
  assert.deepEqual(await outcomes(fired), [[rule.id, 'ran', 0]])
  assert.deepEqual(await outcomes(waiting), [])
  // In Berlin the day began two hours ago.
  await zone('Europe/Berlin')
  await later(1)

  assert.deepEqual(await outcomes(waiting), [[rule.id, 'ran', 0]])
})

test('a timer on a date names a date that is in use, and needs attention when it is archived', async () => {
  const text = await aField(desk, admin)
  const gone = await aField(desk, admin, { kind: 'date' })
  const refused = async (timer: object) => {
    const reply = await desk.post('/api/admin/rules/create', admin, {
      name: 'No',
      trigger: { timer: { minutes: 60, ...timer } },
      actions: [{ set_priority: 'High' }]
    })
    return [reply.status, ...(reply.body.errors ?? [])]
  }
  const field = [400, 'trigger.timer.field_id']
  assert.deepEqual(await refused({ basis: 'date_field' }), field)
  assert.deepEqual(await refused({ basis: 'date_field', field_id: text.id }), field)
  assert.deepEqual(await refused({ basis: 'date_field', field_id: 4_711 }), field)
  assert.deepEqual(await refused({ basis: 'created', field_id: gone.id }), field)

  const rule = await aRule(desk, admin, { trigger: on(60, { field_id: gone.id }) })
  const archived = await desk.post('/api/admin/fields/archive', admin, { id: gone.id })
  assert.equal(archived.status, 200, archived.body.message)
  const { data } = await desk.post('/api/admin/rules/detail', admin, { id: rule.id })
  const deleted = await desk.post('/api/admin/fields/delete', admin, { id: gone.id })

  assert.deepEqual(
    data.rule.attention.map(({ reason }: { reason: string }) => reason),
    ['field_out_of_use']
  )
  assert.deepEqual([deleted.status, deleted.body.reason], [409, 'in_use'])
  assert.deepEqual(await refused({ basis: 'date_field', field_id: gone.id }), field)
})

test('R8 a day at the end of what dates can be stops no other rule and no timer', async () => {
  const [before, after, other] = [
    await aRule(desk, admin, { trigger: on(10_080, { direction: 'before' }) }),
    await aRule(desk, admin, { trigger: on(10_080) }),
    await aRule(desk, admin, { trigger: { events: ['ticket.noted'] }, actions: [{ set_priority: 'Low' }] })
  ]
  const tickets = [await opened(), await opened()]
  await update(tickets[0]!, { fields: { [day.key]: '0001-01-01' } })
  await update(tickets[1]!, { fields: { [day.key]: '9999-12-31' } })
  const noted = await desk.post('/api/admin/tickets/note', admin, { id: tickets[1], note: 'Soon' })
  assert.equal(noted.status, 201)
  await later(1)

  assert.equal((await ticketRow(desk, tickets[1]!)).priority, 'Low')
  assert.ok((await outcomes(tickets[1]!)).some(([rule]) => rule === other.id))
  for (const { id } of [before, after]) {
    const impact = await desk.post('/api/admin/rules/impact', admin, { rule_id: id })
    assert.equal(impact.status, 200, impact.body.message)
  }
})
