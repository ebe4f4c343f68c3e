import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aPolicy } from '../../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../../test/support/sla-desk.ts'
import { aTicket, limitTo } from '../../../../test/support/tickets.ts'

const { desk, admin, client, berlin, at, opened, clockTo } = await bootSlaDesk()
const list = async (body: object = {}, person = admin) => {
  const reply = await desk.post('/api/admin/tickets/list', person, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}
const idsOf = ({ tickets }: { tickets: { id: number }[] }) => tickets.map(({ id }) => id)

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC. The 10th is a Tuesday.
await clockTo('2026-03-10T08:00:00Z')
const policy = await aPolicy(desk, admin, berlin, {
  targets: [
    ...targets('first_response', { Low: 480, Medium: 240, High: 60 }, berlin),
    ...targets('resolution', { Low: 960, Medium: 960, High: 960 }, berlin)
  ]
})
const calm = await opened('2026-03-10T08:00:00Z', { priority: 'Low' })
const high = await opened('2026-03-10T08:10:00Z', { priority: 'High' })
const medium = await opened('2026-03-10T08:20:00Z')
const answered = await opened('2026-03-10T08:30:00Z')
await at('2026-03-10T08:40:00Z', '/api/admin/tickets/reply', { id: answered, message: 'Like so.' })
await clockTo('2026-03-10T09:00:00Z')

test('a row has the clock that is due first, and one that stands only if none runs', async () => {
  const { tickets } = await list()
  const slaOf = (id: number) => tickets.find((ticket: { id: number }) => ticket.id === id).sla

  assert.deepEqual(slaOf(high), {
    metric: 'first_response',
    state: 'running',
    due_at: '2026-03-10T09:10:00.000Z',
    left_seconds: 600,
    target_seconds: 3600,
    is_recomputing: false
  })
  assert.deepEqual(slaOf(answered), {
    metric: 'resolution',
    state: 'paused',
    due_at: null,
    left_seconds: 57_000,
    target_seconds: 57_600,
    is_recomputing: false
  })
  for (const id of [high, medium, answered]) {
    const { data } = await desk.post('/api/admin/tickets/detail', admin, { id })
    assert.deepEqual(data.ticket.sla, slaOf(id))
  }
})

test('a row says whether its due time is still being counted anew after a change of policies or business hours', async () => {
  const [event] = await desk.db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).execute()
  const [clock] = await desk.db.selectFrom('sla_clocks').where('ticket_id', '=', medium).selectAll().execute()
  const asked = { event_id: event!.id, created_at: new Date(), chooses: false }
  const recomputing = async (given: { cause: 'policy' | 'calendar'; subject_id: number | null; chooses?: boolean }) => {
    const { id } = await desk.db
      .insertInto('sla_recomputations')
      .values({ ...asked, ...given })
      .returning('id')
      .executeTakeFirstOrThrow()
    await desk.db.updateTable('sla_recomputations').set({ after_id: high }).where('id', '=', id).execute()
    const { tickets } = await list()
    const { data } = await desk.post('/api/admin/tickets/detail', admin, { id: medium })
    await desk.db.deleteFrom('sla_recomputations').where('id', '=', id).execute()
    const row = (wanted: number) => tickets.find(({ id }: { id: number }) => id === wanted).sla.is_recomputing
    return [row(high), row(medium), data.ticket.sla.is_recomputing]
  }

  assert.deepEqual(await recomputing({ cause: 'policy', subject_id: null, chooses: true }), [false, true, true])
  assert.deepEqual(await recomputing({ cause: 'policy', subject_id: clock!.policy_id }), [false, true, true])
  assert.deepEqual(await recomputing({ cause: 'calendar', subject_id: clock!.calendar_id }), [false, true, true])
  assert.deepEqual(await recomputing({ cause: 'policy', subject_id: 999 }), [false, false, false])
  assert.deepEqual(await recomputing({ cause: 'policy', subject_id: 999, chooses: true }), [false, false, false])
})

test('what is due first comes first, and what stands last, page by page and by cursor', async () => {
  const whole = await list({ sort: 'sla_due' })
  const first = await list({ sort: 'sla_due', limit: 2 })
  const second = await list({ sort: 'sla_due', limit: 2, cursor: first.next_cursor })
  const last = await list({ sort: 'sla_due', limit: 3, page: 2 })
  const backwards = await list({ sort: 'sla_due', direction: 'desc' })
  const searched = await list({ sort: 'sla_due', search: 'printer' })

  assert.deepEqual(idsOf(whole), [high, medium, calm, answered])
  assert.deepEqual([...idsOf(first), ...idsOf(second)], [high, medium, calm, answered])
  assert.deepEqual([second.next_cursor, idsOf(last), whole.total], [null, [answered], 4])
  assert.deepEqual(idsOf(backwards), [calm, medium, high, answered])
  assert.deepEqual(idsOf(searched), idsOf(whole))
  const refused = await desk.post('/api/admin/tickets/list', admin, { sort: 'updated', cursor: first.next_cursor })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['cursor']])
})

test('a cursor goes on among tickets for which nothing runs', async () => {
  const first = await list({ sort: 'sla_due', limit: 4 })
  const other = await opened('2026-03-10T09:00:00Z', { priority: 'Critical' })
  const four = await list({ sort: 'sla_due', limit: 4 })
  const five = await list({ sort: 'sla_due', limit: 4, cursor: four.next_cursor })
  await at('2026-03-10T09:00:00Z', '/api/admin/tickets/status', { id: other, status: 'Closed' })

  assert.equal(first.next_cursor, null)
  assert.deepEqual([idsOf(four), idsOf(five)], [[high, medium, calm, answered], [other]])
})

test('tickets are filtered by when they are due, by the state of their clocks, and by what is soon', async () => {
  const found = async (sla_due: object) => idsOf(await list({ sla_due, sort: 'sla_due' }))

  assert.deepEqual(await found({ before: '2026-03-10T13:30:00+01:00' }), [high, medium])
  assert.deepEqual(await found({ before: '2026-03-10T12:20:00Z' }), [high])
  assert.deepEqual(await found({ states: ['paused'] }), [answered])
  assert.deepEqual(await found({ states: 'running' }), [high, medium, calm])
  assert.deepEqual(await found({ states: ['breached'] }), [])
  assert.deepEqual(await found({ states: [] }), [])
  assert.deepEqual(await found({ soon: 1 }), [high])
  const { data } = await desk.post('/api/admin/tickets/counts', admin)
  assert.equal(data.breaching_soon, 1)

  await clockTo('2026-03-10T09:30:00Z')
  assert.deepEqual(await found({ before: '2026-03-10T16:00:00Z', states: ['running', 'breached'] }), [high, medium])
  assert.deepEqual(await found({ states: ['breached'] }), [high])
  assert.deepEqual(await found({ soon: 1 }), [high])
  const [late] = (await list({ sort: 'sla_due' })).tickets
  assert.deepEqual([late.sla.state, late.sla.left_seconds], ['breached', -1200])
})

test('a filter that means nothing is refused by its field', async () => {
  for (const sla_due of [
    { before: 'soon' },
    { before: '2026-03-10' },
    { states: ['met'] },
    { soon: 2 },
    { after: 1 }
  ]) {
    const { status, body } = await desk.post('/api/admin/tickets/list', admin, { sla_due })
    assert.equal(status, 400)
    assert.ok(body.errors[0].startsWith('sla_due'), body.message)
  }
})

test('a saved view keeps what is due', async () => {
  const query = { sla_due: { soon: 1 }, sort: 'sla_due' }
  const view = await desk.post('/api/admin/views/create', admin, { name: 'Soon', query })

  const counts = await desk.post('/api/admin/tickets/counts', admin)

  assert.deepEqual(view.data.view.query, query)
  assert.deepEqual(
    counts.data.views.find(({ id }: { id: number }) => id === view.data.view.id),
    { id: view.data.view.id, count: 1 }
  )
})

test('the list of clocks has those of the tickets that one sees, what is due first at the beginning', async () => {
  const clocks = async (body: object = {}, person = admin) => {
    const reply = await desk.post('/api/admin/sla-clocks/list', person, body)
    assert.equal(reply.status, 200, reply.body.message)
    return reply.data
  }
  const grace = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, grace.id, 4)
  const elsewhere = (await aTicket(desk, await aClient(desk), { department_id: 4, priority: 'High' })).ticket_id
  await clockTo('2026-03-10T09:31:00Z')

  const all = await clocks()
  const first = await clocks({ limit: 3 })
  const rest = await clocks({ limit: 200, cursor: first.next_cursor })
  const late = await clocks({ state: 'breached' })
  const met = await clocks({ state: ['met'] })
  const early = await clocks({ metric: 'first_response', due_before: '2026-03-10T12:20:00Z', deptid: 1 })
  const seen = await clocks({}, grace)
  const noDay = Buffer.from(JSON.stringify(['2026-02-30T00:00:00.000Z', 1])).toString('base64url')
  const refused = [
    await desk.post('/api/admin/sla-clocks/list', admin, { cursor: 'x' }),
    await desk.post('/api/admin/sla-clocks/list', admin, { cursor: noDay })
  ]

  const row = all.clocks[0]
  assert.deepEqual(
    [row.ticket.id, row.metric, row.state, row.is_ended, row.due_at, row.policy.id],
    [high, 'first_response', 'breached', false, '2026-03-10T09:10:00.000Z', policy.id]
  )
  assert.deepEqual([...first.clocks, ...rest.clocks], all.clocks)
  assert.equal(all.clocks.at(-1).state, 'paused')
  assert.deepEqual(
    [late, early].map(({ clocks }) => clocks.map(({ ticket }: { ticket: { id: number } }) => ticket.id)),
    [[high], [high]]
  )
  assert.deepEqual(
    met.clocks.map(({ ticket, is_ended }: { ticket: { id: number }; is_ended: boolean }) => [ticket.id, is_ended]),
    [[answered, true]]
  )
  assert.deepEqual(
    new Set(seen.clocks.map(({ ticket }: { ticket: { id: number } }) => ticket.id)),
    new Set([elsewhere])
  )
  for (const { status, body } of refused) assert.deepEqual([status, body.errors], [400, ['cursor']])
})

test('clients see nothing of clocks, in lists, details or events', async () => {
  const replies = [
    await desk.post('/api/tickets/list', client),
    await desk.post('/api/tickets/detail', client, { id: high })
  ]

  for (const { status, body } of replies) {
    assert.equal(status, 200)
    assert.doesNotMatch(JSON.stringify(body), /sla|due_at|breach/)
  }
})
