import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const viewer = await aSupporter(desk, 'clients.view')
const client = await aClient(desk, {
  email: 'Ada@Engines.example',
  company_name: 'Analytical Engines',
  street_address: '12 St James Square',
  street_address_2: 'Upstairs',
  city: 'London',
  state: 'Greater London',
  postcode: 'SW1Y 4JH',
  phone_number: '+442079460001',
  is_email_verified: true
})

for (const [path, body, encoding] of [
  ['/api/admin/clients/detail', { id: client.id }, 'json'],
  ['/api/admin/clients/detail', { id: String(client.id) }, 'json'],
  ['/api/admin/clients/detail', { id: client.id }, 'form'],
  ['/api/admin/clients/detail', { id: client.id }, 'multipart'],
  [`/api/admin/clients/${client.id}`, undefined, 'json']
] as const) {
  test(`${path} shows a client with exactly the fields of the contract (${JSON.stringify(body)} as ${encoding})`, async () => {
    const { status, data } = await desk.post(path, viewer, body, encoding)

    assert.equal(status, 200)
    assert.deepEqual(data, {
      client: {
        id: client.id,
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'Ada@Engines.example',
        company_name: 'Analytical Engines',
        street_address: '12 St James Square',
        city: 'London',
        state: 'Greater London',
        postcode: 'SW1Y 4JH',
        role: 'client',
        is_active: 1,
        is_email_verified: 1,
        is_phone_verified: 0
      },
      tickets: []
    })
  })
}

test('the ten newest tickets of that client alone are shown, the newest first', async () => {
  const [busy, other] = [await aClient(desk), await aClient(desk)]
  for (let day = 1; day <= 11; day++) await aTicket(busy.id, `Day ${day}`, new Date(Date.UTC(2026, 2, day, 8, 28, 31)))
  await aTicket(other.id, 'Of somebody else', new Date())

  const { data } = await desk.post('/api/admin/clients/detail', admin, { id: busy.id })

  assert.deepEqual(
    data.tickets.map((ticket: { subject: string }) => ticket.subject),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(day => `Day ${day}`)
  )
  const fields = ['id', 'ticket_number', 'subject', 'status', 'priority', 'created_at', 'created_at_iso']
  assert.deepEqual(Object.keys(data.tickets[0]), fields)
  assert.match(data.tickets[0].ticket_number, /^TIC-\d{6}$/)
  assert.deepEqual(
    [data.tickets[0].status, data.tickets[0].priority, data.tickets[0].created_at],
    ['Open', 'High', '2026-03-11 08:28:31']
  )
})

test('of tickets in the trash, and in departments that a supporter does not see, none is shown', async () => {
  const [busy, limited] = [await aClient(desk), await aSupporter(desk, 'clients.view')]
  await limitTo(desk, limited.id, 4)
  for (const subject of ['Here', 'There', 'Trashed']) await aTicket(busy.id, subject, new Date())
  await desk.db.updateTable('tickets').set({ department_id: 4 }).where('subject', '=', 'There').execute()
  await desk.db.updateTable('tickets').set({ trashed_at: new Date() }).where('subject', '=', 'Trashed').execute()

  const shown = []
  for (const person of [viewer, limited]) {
    const { data } = await desk.post('/api/admin/clients/detail', person, { id: busy.id })
    shown.push(data.tickets.map((ticket: { subject: string }) => ticket.subject))
  }

  assert.deepEqual(shown, [['There', 'Here'], ['There']])
})

test('an inactive client is shown as such', async () => {
  const inactive = await aClient(desk, { is_active: false })

  const { data } = await desk.post('/api/admin/clients/detail', viewer, { id: inactive.id })

  assert.equal(data.client.is_active, 0)
})

test('an id that nobody has is not found; what is no id is invalid in a body and not found in a path', async () => {
  const statuses = [
    await desk.post('/api/admin/clients/detail', admin, { id: 999_999 }),
    await desk.post('/api/admin/clients/999999', admin),
    await desk.post('/api/admin/clients/ada', admin),
    await desk.post('/api/admin/clients/detail', admin, { id: -1 }),
    await desk.post('/api/admin/clients/detail', admin, { id: 1.5 })
  ].map(reply => reply.status)

  assert.deepEqual(statuses, [404, 404, 404, 400, 400])
})

test('who may not view clients is told so, a client asking for itself too', async () => {
  for (const person of [await aSupporter(desk, 'clients.edit', 'staff.view'), client]) {
    const { status, body } = await desk.post('/api/admin/clients/detail', person, { id: client.id })

    assert.equal(status, 403)
    assert.match(body.message, /access denied/i)
    assert.match(body.message, /permission to view clients/)
  }
})

async function aTicket(client_id: number, subject: string, created_at: Date): Promise<void> {
  await desk.db
    .insertInto('tickets')
    .values({ client_id, department_id: 1, subject, created_at, priority: 'High' })
    .execute()
}
