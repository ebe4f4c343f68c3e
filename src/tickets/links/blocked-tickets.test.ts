import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { aTicket, limitTo, ticketRow } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

const post = (path: string, body: object, by: Person = admin) => desk.post(path, by, body)
const statusOf = async (id: number) => (await ticketRow(desk, id)).status
const close = (id: number, given: object = {}, by: Person = admin) =>
  post('/api/admin/tickets/status', { id, status: 'Closed', ...given }, by)

/** A ticket, and one that blocks it. */
async function aBlockedTicket(given: object = {}) {
  const [blocker, blocked] = [await aTicket(desk, ada, { subject: 'Rollout', ...given }), await aTicket(desk, ada)]
  const body = { id: blocker.ticket_id, other_id: blocked.ticket_id, kind: 'blocks' }
  assert.equal((await post('/api/admin/tickets/link', body)).status, 200)
  return {
    id: blocked.ticket_id as number,
    blocker: blocker.ticket_id as number,
    number: blocker.ticket_number as string
  }
}

test('L2: whoever closes a blocked ticket is warned with the one that blocks it, and closes it by insisting', async () => {
  const { id, blocker, number } = await aBlockedTicket()

  const warned = await close(id)
  const still = await statusOf(id)
  const forced = await close(id, { force: 1 })

  const named = { id: blocker, ticket_number: number, subject: 'Rollout', status: 'Open' }
  assert.deepEqual([warned.status, warned.body.reason], [409, 'ticket_blocked'])
  assert.deepEqual(warned.data, { blocked_by: [named], blocked_by_unseen: 0 })
  assert.deepEqual([still, forced.status, await statusOf(id)], ['Open', 200, 'Closed'])
  assert.equal(await statusOf(blocker), 'Open')
})

test('L2: the warning is the same by the status of the contract, by an answer that closes, and in bulk for each ticket', async () => {
  const [{ id }, free] = [await aBlockedTicket(), (await aTicket(desk, ada)).ticket_id as number]
  const answer = { id, message: 'Done.', status: 'Closed' }
  const bulk = { ids: [id, free], action: 'status', status: 'Closed' }

  const refused = [
    await post('/api/tickets/status', { id, status: 'Closed' }),
    await post('/api/admin/tickets/reply', answer)
  ]
  const some = await post('/api/admin/tickets/bulk', bulk)

  for (const { status, body } of refused) assert.deepEqual([status, body.reason], [409, 'ticket_blocked'])
  assert.match(some.data.failed[0].message, /is blocked by TIC-/)
  assert.equal(some.data.failed[0].reason, 'ticket_blocked')
  assert.deepEqual(some.data.done, [free])
  assert.deepEqual(
    some.data.failed.map(({ id }: { id: number }) => id),
    [id]
  )
  const { status, message_count } = await ticketRow(desk, id)
  assert.deepEqual([status, message_count], ['Open', 1])
  const forced = await post('/api/admin/tickets/reply', { ...answer, force_close: 1 })
  assert.deepEqual([forced.status, await statusOf(id)], [201, 'Closed'])
  await post('/api/admin/tickets/status', { id, status: 'Open' })
  assert.equal((await post('/api/tickets/status', { id, status: 'Closed', force: 1 })).status, 200)
  await post('/api/admin/tickets/status', { id, status: 'Open' })
  assert.deepEqual((await post('/api/admin/tickets/bulk', { ...bulk, ids: [id], force: 1 })).data.done, [id])
})

test('L2: nothing but an open ticket blocks: not a closed one, one in the trash, or one that is merged into it', async () => {
  for (const action of ['status', 'delete', 'merge', 'unlink']) {
    const { id, blocker } = await aBlockedTicket()
    const body = { id: blocker, status: 'Closed', into_id: id, other_id: id, kind: 'blocks' }
    assert.equal((await post(`/api/admin/tickets/${action}`, body)).status, 200, action)

    assert.deepEqual([action, (await close(id)).status], [action, 200])
  }
})

test('L2: what is merged goes on blocking in the place of the other, and being blocked', async () => {
  const { id, blocker } = await aBlockedTicket()
  const [one, other] = [(await aTicket(desk, ada)).ticket_id as number, (await aTicket(desk, ada)).ticket_id as number]
  await post('/api/admin/tickets/merge', { id: blocker, into_id: one })
  await post('/api/admin/tickets/merge', { id, into_id: other })

  const warned = await close(other)

  assert.deepEqual([warned.status, warned.data.blocked_by[0].id], [409, one])
  assert.equal((await post('/api/tickets/status', { id, status: 'Closed' })).status, 409)
})

test('L1: of a ticket that blocks beyond sight the warning tells no number', async () => {
  const { id, number } = await aBlockedTicket({ department_id: 4 })
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const { id: department } = await desk.db
    .selectFrom('departments')
    .where('deptid', '=', 1)
    .select('id')
    .executeTakeFirstOrThrow()
  await limitTo(desk, grace.id, department)

  for (const path of ['/api/admin/tickets/status', '/api/tickets/status']) {
    const warned = await post(path, { id, status: 'Closed' }, grace)

    assert.deepEqual([warned.status, warned.data], [409, { blocked_by: [], blocked_by_unseen: 1 }])
    assert.ok(!JSON.stringify(warned.body).includes(number))
  }
})

test('clients close their tickets whatever blocks them, and hear nothing of links', async () => {
  const { id, number } = await aBlockedTicket()

  const closed = await post('/api/tickets/status', { id, status: 'Closed' }, ada)
  const seen = await post('/api/tickets/detail', { id }, ada)

  assert.deepEqual([closed.status, closed.data], [200, { ticket_id: id, status: 'Closed' }])
  assert.ok(!JSON.stringify(seen.body).includes(number))
  assert.equal((await post('/api/tickets/status', { id, status: 'Closed' })).status, 200)
})
