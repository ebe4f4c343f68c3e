import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const path = '/api/admin/staff/delete'

test('a deleted supporter is gone with grants and sessions, and is out at once', async () => {
  const before = await desk.rowCounts()
  const supporter = await aSupporter(desk, 'staff.view', 'clients.view')

  const { status, data } = await desk.post(path, admin, { id: supporter.id })

  assert.equal(status, 200)
  assert.deepEqual(data, { deleted_id: supporter.id, email: supporter.email })
  const logs = Object.fromEntries(['audit_log', 'events', 'event_places'].map(name => [name, before[name]! + 1]))
  assert.deepEqual(await desk.rowCounts(), { ...before, ...logs, audit_head: 1 })
  assert.equal((await desk.post('/api/admin/staff/list', supporter)).status, 401)
  assert.equal((await desk.post(path, admin, { id: supporter.id })).status, 404)
})

test('the client who has the same id as a deleted supporter keeps account and session', async () => {
  const supporter = await aSupporter(desk)
  let client = await aClient(desk)
  while (client.id < supporter.id) client = await aClient(desk)
  assert.equal(client.id, supporter.id)

  await desk.post(path, admin, { id: supporter.id })

  assert.equal((await desk.post('/api/admin/clients/detail', admin, { id: client.id })).status, 200)
  assert.equal((await desk.post('/api/admin/staff/list', client)).status, 403)
})

test('the tickets of a deleted supporter are assigned to nobody, and its messages keep its name', async () => {
  const supporter = await aSupporter(desk)
  const ticket = await aTicketAnsweredBy(supporter)

  await desk.post(`/api/admin/staff/${supporter.id}/delete`, admin)

  const { assigned_staff_id } = await desk.db
    .selectFrom('tickets')
    .select('assigned_staff_id')
    .where('id', '=', ticket)
    .executeTakeFirstOrThrow()
  const message = await desk.db
    .selectFrom('ticket_messages')
    .select(['staff_id', 'sender_first_name'])
    .where('ticket_id', '=', ticket)
    .executeTakeFirstOrThrow()
  assert.equal(assigned_staff_id, null)
  assert.deepEqual({ ...message }, { staff_id: null, sender_first_name: 'Grace' })
})

for (const encoding of ['form', 'multipart'] as const) {
  test(`the id may come as text in ${encoding}`, async () => {
    const supporter = await aSupporter(desk)

    const { data } = await desk.post(path, admin, { id: supporter.id }, encoding)

    assert.equal(data.deleted_id, supporter.id)
  })
}

test('no admin is deleted, active or not, nor anybody by an id that nobody has', async () => {
  const inactive = await anAdmin(desk)
  await desk.post('/api/admin/staff/update', admin, { id: inactive.id, is_active: 0 })
  const before = await desk.rowCounts()

  const self = await desk.post(path, admin, { id: admin.id })
  const other = await desk.post(path, admin, { id: inactive.id })
  const nobody = await desk.post(path, admin, { id: 999_999 })

  assert.equal(self.status, 403)
  assert.equal(other.status, 403)
  assert.equal(nobody.status, 404)
  assert.deepEqual(await desk.rowCounts(), before)
})

async function aTicketAnsweredBy({ id, first_name, last_name }: Person): Promise<number> {
  const client = await aClient(desk)
  const ticket = await desk.db
    .insertInto('tickets')
    .values({ client_id: client.id, department_id: 1, assigned_staff_id: id, subject: 'Help' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sender = { sender_type: 'support' as const, sender_first_name: first_name, sender_last_name: last_name }
  await desk.db
    .insertInto('ticket_messages')
    .values({ ticket_id: ticket.id, staff_id: id, message: 'Here', ...sender })
    .execute()
  return ticket.id
}
