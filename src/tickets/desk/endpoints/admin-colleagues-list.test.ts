import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const lead = await aSupporter(desk, 'tickets.edit_status', 'tickets.view_all')
const technician = await aSupporter(desk)
const accountant = await aSupporter(desk)
const both = await aSupporter(desk, 'tickets.edit_status', 'tickets.view_all')
const gone = await aSupporter(desk)
await limitTo(desk, technician.id, 1)
await limitTo(desk, accountant.id, 4)
await limitTo(desk, both.id, 1, 5)
await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', gone.id).execute()

async function listed(asker: Person, body: object = {}) {
  const { status, data } = await desk.post('/api/admin/colleagues/list', asker, body)
  assert.equal(status, 200)
  return data
}

const idsOf = ({ colleagues }: { colleagues: { id: number }[] }) =>
  colleagues.map(({ id }) => id).toSorted((one, other) => one - other)

test('who may assign sees the active colleagues, each with the departments that they are limited to', async () => {
  const data = await listed(lead)

  assert.deepEqual(idsOf(data), [admin.id, lead.id, technician.id, accountant.id, both.id])
  assert.deepEqual([data.count, data.total, data.page, data.limit], [5, 5, 1, 100])
  const one = (id: number) => data.colleagues.find((each: { id: number }) => each.id === id)
  assert.deepEqual(Object.keys(one(both.id)), ['id', 'first_name', 'last_name', 'away_until', 'departments'])
  assert.deepEqual([one(admin.id).departments, one(lead.id).departments], [null, null])
  assert.deepEqual(
    one(both.id).departments.map(({ deptid }: { deptid: number }) => deptid),
    [1, 5]
  )
})

test('whoever is limited to departments sees the colleagues of these and whoever sees all, and nothing of other departments', async () => {
  await limitTo(desk, technician.id, 4)
  const data = await listed(both)

  assert.deepEqual(idsOf(data), [admin.id, lead.id, technician.id, both.id])
  const seen = data.colleagues.find(({ id }: { id: number }) => id === technician.id)
  assert.deepEqual(seen.departments, [{ deptid: 1, name: 'Technical Support' }])
})

test('for a department these are exactly those to whom its tickets can be assigned; it is searched by name and paged', async () => {
  const { ticket_id: id } = await aTicket(desk, await aClient(desk), { department_id: 4 })
  const handlers = idsOf(await listed(lead, { department_id: 4 }))

  for (const person of [admin, lead, technician, accountant, both, gone]) {
    const { status } = await desk.post('/api/admin/tickets/assign', lead, {
      id,
      assigned_staff_id: person.id,
      force: 1
    })
    assert.equal(status, handlers.includes(person.id) ? 200 : 400)
  }
  assert.deepEqual(idsOf(await listed(lead, { deptid: 99 })), [])
  assert.deepEqual(idsOf(await listed(both, { deptid: 4 })), [])
  await desk.db
    .updateTable('staff')
    .set({ first_name: 'Zoë', last_name: 'A_b' })
    .where('id', '=', accountant.id)
    .execute()
  assert.deepEqual(idsOf(await listed(lead, { search: 'zoë a_' })), [accountant.id])
  assert.deepEqual(idsOf(await listed(lead, { search: 'zo%' })), [])
  const second = await listed(lead, { page: 2, limit: 3 })
  assert.deepEqual([second.count, second.total, second.colleagues.at(-1).id], [2, 5, accountant.id])
})

test('an agent who answers alone assigns nobody, and has no use for the list', async () => {
  const agent = await aSupporter(desk, 'tickets.reply')

  assert.equal((await desk.post('/api/admin/colleagues/list', agent)).status, 403)
})

test('an agent finds clients to open tickets for, and makes tags for them; a search is needed', async () => {
  const agent = await aSupporter(desk, 'tickets.reply')
  const client = await aClient(desk, { first_name: 'Hedy', last_name: 'Lamarr', phone_number: '+31612345678' })

  const found = await desk.post('/api/admin/clients/picker', agent, { search: 'lamarr' })
  const { tag } = (await desk.post('/api/admin/tags/create', agent, { name: 'fresh' })).data
  const opened = await desk.post('/api/admin/tickets/create', agent, {
    client_id: found.data.clients[0].id,
    department_id: 1,
    subject: 'Called',
    message: 'As discussed.',
    tags: [tag.id]
  })

  assert.deepEqual([found.data.count, found.data.total], [1, 1])
  assert.deepEqual(found.data.clients[0], {
    id: client.id,
    first_name: 'Hedy',
    last_name: 'Lamarr',
    email: client.email,
    company_name: '',
    organisation: null,
    is_active: 1
  })
  assert.equal(opened.status, 201)
  for (const body of [{}, { search: ' ' }, { search: 'x' }]) {
    assert.equal((await desk.post('/api/admin/clients/picker', agent, body)).status, 400)
  }
  assert.equal((await desk.post('/api/admin/clients/picker', lead, { search: 'lamarr' })).status, 403)
})
