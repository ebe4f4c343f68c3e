import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { allOf, aRule, bootRulesDesk } from '../../../test/support/rules.ts'
import { tableContents } from '../../../test/support/table-contents.ts'
import { ticketRow } from '../../../test/support/tickets.ts'
import { sweepExpired } from '../../mail/outbox/sweep.ts'

const { desk, admin, opened, outcomes, update } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

const clock = async (body: object) => {
  const reply = await desk.post('/api/test/clock', admin, body)
  assert.equal(reply.status, 200, reply.body.message)
}
const later = (minutes: number) => clock({ advance_seconds: minutes * 60 })
const impact = async (body: object) => {
  const reply = await desk.post('/api/admin/rules/impact', admin, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}

await clock({ now: '2030-03-11T09:00:00Z' })

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
  await sql`update tickets set trashed_at = now() where trashed_at is null`.execute(desk.db)
})

const rule = {
  trigger: { timer: { basis: 'created', minutes: 60 } },
  conditions: allOf({ field: 'priority', op: 'is', value: 'Medium' }),
  actions: [{ set_priority: 'High' }]
}

/** Two tickets for which the time of the rule is over, and one for which it is not; one more that does not fit. */
async function someTickets() {
  const [one, two, low] = [await opened(), await opened(), await opened()]
  await update(low, { priority: 'Low' })
  await later(100)
  return { one, two, low, young: await opened() }
}

test('R10 the impact of a timer counts the tickets that fit and for which the time is over, and writes nothing', async () => {
  const { one, two } = await someTickets()
  const { ticket_number, subject } = await ticketRow(desk, one)
  await later(1)
  const before = await tableContents(desk)

  const { already_due, sample } = await impact({ rule })
  const ofEvents = await impact({ rule: { ...rule, trigger: { events: ['ticket.created'] } } })

  assert.deepEqual(await tableContents(desk), before)
  assert.equal(already_due, 2)
  assert.deepEqual(
    sample.map(({ id }: { id: number }) => id),
    [one, two]
  )
  assert.deepEqual([sample[0].ticket_number, sample[0].subject], [ticket_number, subject])
  assert.ok(Date.parse(sample[0].due_at) < desk.services.clock.now().getTime())
  assert.deepEqual(ofEvents, { already_due: 0, sample: [] })
})

test('R10 they are taken only with their number, and once', async () => {
  const { one, two, low, young } = await someTickets()
  const create = (given: object) =>
    desk.post('/api/admin/rules/create', admin, { name: 'Late', is_active: 1, ...rule, ...given })

  const wrong = await create({ include_existing: 1, expected_count: 3 })
  const unsaid = await create({ include_existing: 1 })
  const off = await create({ include_existing: 1, expected_count: 2, is_active: 0 })
  const made = await create({ include_existing: 1, expected_count: 2 })
  await later(1)

  for (const { status, body } of [wrong, unsaid]) {
    assert.deepEqual([status, body.reason, body.data.already_due], [409, 'existing_count_changed', 2])
  }
  assert.deepEqual([off.status, off.body.errors], [400, ['include_existing']])
  assert.equal(made.status, 201, made.body.message)
  const priorities = await Promise.all([one, two, low, young].map(async id => (await ticketRow(desk, id)).priority))
  assert.deepEqual(priorities, ['High', 'High', 'Low', 'Medium'])
  const { id } = made.data.rule
  assert.deepEqual(await outcomes(one), [[id, 'ran', 0]])

  // For what it has run the time is over no more, and what does not fit yet may fit later.
  await update(one, { priority: 'Medium' })
  await update(low, { priority: 'Medium' })
  assert.equal((await impact({ rule_id: id })).already_due, 1)
})

test('R10 so are those that a rule has missed that was off or paused, when it is let go on', async () => {
  const { one, two } = await someTickets()
  const { id } = await aRule(desk, admin, { ...rule, is_active: 0 })
  const update = (given: object) => desk.post('/api/admin/rules/update', admin, { id, ...given })
  const resume = (given: object) => desk.post('/api/admin/rules/resume', admin, { id, ...given })

  const named = await update({ name: 'Renamed', include_existing: 1, expected_count: 2 })
  const on = await update({ is_active: 1 })
  await desk.post('/api/admin/rules/pause', admin, { id })
  const wrong = await resume({ include_existing: 1, expected_count: 1 })
  await later(1)
  assert.deepEqual([await outcomes(one), await outcomes(two)], [[], []])
  const right = await resume({ include_existing: 1, expected_count: 2 })
  await later(1)

  assert.deepEqual([named.status, named.body.errors], [400, ['include_existing']])
  assert.deepEqual([on.status, wrong.status, right.status], [200, 409, 200])
  assert.deepEqual((await ticketRow(desk, one)).priority, 'High')
  assert.deepEqual(await outcomes(two), [[id, 'ran', 0]])
})

test('R10 what a rule has only watched is still there to be taken when it acts', async () => {
  const { one } = await someTickets()
  const given = { name: 'Watched', ...rule, watch_only: 1, is_active: 1, include_existing: 1, expected_count: 2 }
  const { data } = await desk.post('/api/admin/rules/create', admin, given)
  await later(1)
  assert.deepEqual(await outcomes(one), [[data.rule.id, 'watched', 0]])
  const change = (body: object) => desk.post('/api/admin/rules/update', admin, { id: data.rule.id, ...body })
  await change({ watch_only: 0, is_active: 0 })

  const { already_due } = await impact({ rule_id: data.rule.id })
  const begun = await change({ is_active: 1, include_existing: 1, expected_count: already_due })
  await later(1)

  assert.equal(begun.status, 200, begun.body.message)
  assert.equal(already_due, 2)
  assert.equal((await ticketRow(desk, one)).priority, 'High')
})

test('R10 what fired is not taken again when the log of its run is no longer kept', async () => {
  const { one, two } = await someTickets()
  const { id } = await aRule(desk, admin, {
    ...rule,
    conditions: { all: [] },
    actions: [{ note: 'Late' }],
    is_active: 0
  })
  const change = (given: object) => desk.post('/api/admin/rules/update', admin, { id, ...given })
  const taken = (await impact({ rule_id: id })).already_due
  assert.equal((await change({ is_active: 1, include_existing: 1, expected_count: taken })).status, 200)
  await later(1)
  assert.equal((await outcomes(one)).length, 1)
  await change({ is_active: 0 })

  await later(31 * 24 * 60)
  await sweepExpired(desk.db, new Date(), desk.services.clock.now())
  assert.deepEqual([await outcomes(one), await outcomes(two)], [[], []])

  // The young one has grown old.
  assert.equal((await impact({ rule_id: id })).already_due, 1)
  assert.equal((await change({ is_active: 1, include_existing: 1, expected_count: 1 })).status, 200)
  await later(1)
  assert.deepEqual(await outcomes(one), [])
})

test('R10 whoever counts the tickets that are there keeps nobody from changing rules', async () => {
  await someTickets()
  const { id } = await aRule(desk, admin, { ...rule, is_active: 0 })

  const wrong = await desk.db.transaction().execute(async db => {
    // Whoever changes a rule holds this.
    await sql`lock table rules in share row exclusive mode`.execute(db)
    return await desk.post('/api/admin/rules/update', admin, {
      ...{ id, is_active: 1, include_existing: 1, expected_count: 99 }
    })
  })

  assert.deepEqual([wrong.status, wrong.body.data.already_due], [409, 2])
})
