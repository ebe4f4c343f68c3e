import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aField, fieldsOf } from '../../../../test/support/fields.ts'
import { aForm } from '../../../../test/support/forms.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const path = '/api/tickets/open'
let serial = 0

async function allow(at = desk) {
  const reply = await at.post('/api/admin/settings/update', await anAdmin(at), { tickets_without_account: 1 })
  assert.equal(reply.status, 200)
}

function written(email = `new.${++serial}@example.com`) {
  return { name: 'Katharina Brandt', email, deptid: 1, subject: 'Silent <inverter>', message: 'It hums\nno more.' }
}

async function ticketsOf(email: string) {
  return await desk.db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('clients.email', '=', email)
    .select(['subject', 'client_id', 'message_count'])
    .execute()
}

async function confirmLink(email: string): Promise<string> {
  const { emails } = await desk.deliver()
  const { text } = emails.findLast(message => message.to === email && /Confirm your ticket/.test(message.subject))!
  return `${desk.url}${new URL(/https?:\S+/.exec(text)![0]).pathname}${new URL(/https?:\S+/.exec(text)![0]).search}`
}

test('nobody writes without an account until an admin allows it, and nothing is written', async () => {
  const before = await desk.rowCounts()

  const reply = await desk.post(path, undefined, written())

  assert.deepEqual([reply.status, reply.body.reason], [403, 'account_required'])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await desk.post('/api/desk')).data.tickets_without_account, 0)
})

test('an address without an account gets one with an invitation, and the ticket is there', async () => {
  await allow()
  const given = written()

  const reply = await desk.post(path, undefined, given, 'form')

  assert.deepEqual([reply.status, reply.data], [200, undefined])
  const [ticket, ...others] = await ticketsOf(given.email)
  assert.deepEqual([ticket?.subject, ticket?.message_count, others], [given.subject, 1, []])
  const { emails } = await desk.deliver()
  const invitation = emails.find(({ to, subject }) => to === given.email && subject === 'Your support account')!
  const token = new URL(/https?:\S+/.exec(invitation.text)![0]).searchParams.get('token')!
  const reset = await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'correct horse' })
  assert.equal(reset.status, 200)
  const { data } = await desk.post('/api/auth/login', undefined, { email: given.email, password: 'correct horse' })
  assert.deepEqual([data.user.first_name, data.user.last_name], ['Katharina', 'Brandt'])
  assert.equal((await desk.post('/api/tickets/list', data)).data.count, 1)
})

test('nothing is put into an account unproven: its owner is asked by e-mail, and whoever writes is told the same', async () => {
  await allow()
  const ada = await aClient(desk)
  const stranger = await desk.post(path, undefined, written())

  const reply = await desk.post(path, undefined, written(ada.email.toUpperCase()))

  assert.deepEqual(reply.body, stranger.body)
  assert.deepEqual(await ticketsOf(ada.email), [])
  const link = await confirmLink(ada.email)
  const page = await (await fetch(link)).text()
  assert.match(page, /Silent &#60;inverter&#62;.*It hums<br>no more\./s)
  assert.deepEqual(await ticketsOf(ada.email), [])
  const sent = await Promise.all(Array.from({ length: 5 }, () => fetch(link, { method: 'POST' })))
  assert.deepEqual(sent.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
  assert.equal((await ticketsOf(ada.email)).length, 1)
  const { emails } = await desk.deliver()
  assert.ok(emails.every(({ to, text }) => to !== ada.email || !/Confirm/.test(text) || !text.includes('hums')))
})

test('a ticket whose department was deactivated before it is confirmed opens in the first active one', async () => {
  await allow()
  const ada = await aClient(desk)
  const asked = await desk.post(path, undefined, { ...written(ada.email), deptid: 4 })
  assert.equal(asked.status, 200, JSON.stringify(asked.body))
  const link = await confirmLink(ada.email)
  await desk.db.updateTable('departments').set({ is_active: false }).where('deptid', '=', 4).execute()

  const confirmed = await fetch(link, { method: 'POST' })

  await desk.db.updateTable('departments').set({ is_active: true }).where('deptid', '=', 4).execute()
  assert.equal(confirmed.status, 200, await confirmed.text())
  const { department_id } = await desk.db
    .selectFrom('tickets')
    .where('client_id', '=', ada.id)
    .select('department_id')
    .executeTakeFirstOrThrow()
  assert.equal(department_id, 1)
})

test('the link ends after a week, with the account, and by a token that differs', async () => {
  await allow()
  const [ada, eve, ivy] = [await aClient(desk), await aClient(desk), await aClient(desk)]
  for (const { email } of [ada, eve, ivy]) await desk.post(path, undefined, written(email))
  const [late, gone, other] = [await confirmLink(ada.email), await confirmLink(eve.email), await confirmLink(ivy.email)]

  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', eve.id).execute()
  const refused = [await fetch(gone, { method: 'POST' }), await fetch(`${other}x`), await fetch(late)]
  desk.clock.turn(7 * 86_400 + 1)
  refused.push(await fetch(late, { method: 'POST' }))

  assert.deepEqual(
    refused.map(({ status }) => status),
    [401, 401, 200, 401]
  )
  assert.deepEqual(await ticketsOf(ada.email), [])
})

test('an account that is out of service, or whose address is in doubt, is sent nothing', async () => {
  await allow()
  const [ada, eve] = [await aClient(desk, { is_active: false }), await aClient(desk)]
  await desk.db.insertInto('email_changes').values({ client_id: eve.id, former_email: 'x@example.com' }).execute()
  await desk.deliver()
  const before = desk.outbox.emails.length

  const replies = [
    await desk.post(path, undefined, written(ada.email)),
    await desk.post(path, undefined, written(eve.email))
  ]

  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200]
  )
  assert.equal((await desk.deliver()).emails.length, before)
})

test('one address and one network write so often and no more', async () => {
  const own = await bootDesk({
    connections: 10,
    config: { MAX_OPEN_TICKETS_PER_ADDRESS: 2, MAX_OPEN_TICKETS_PER_NETWORK: 4 }
  })
  await allow(own)
  const statusOf = async (email: string) => (await own.post(path, undefined, written(email))).status

  const address = [await statusOf('a@example.com'), await statusOf('A@example.com'), await statusOf('a@example.com')]
  const network = [await statusOf('b@example.com'), await statusOf('c@example.com'), await statusOf('d@example.com')]

  assert.deepEqual(address, [200, 200, 429])
  assert.deepEqual(network, [200, 200, 429])
})

test('one new address at once from many sides makes one account, and the rest waits for its owner', async () => {
  const own = await bootDesk({ connections: 10 })
  await allow(own)

  const replies = await Promise.all(
    Array.from({ length: 5 }, () => own.post(path, undefined, written('race@example.com')))
  )

  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  const { clients, tickets, unconfirmed_tickets } = await own.rowCounts()
  assert.deepEqual([clients, tickets, unconfirmed_tickets], [1, 1, 4])
})

test('what is not said, or no department, is refused before anything is done', async () => {
  await allow()
  const empty = await desk.post(path, undefined, {})
  const nowhere = await desk.post(path, undefined, { ...written(), deptid: 999 })

  assert.deepEqual(empty.body.errors, ['name', 'email', 'department_id', 'subject', 'message'])
  assert.deepEqual([nowhere.status, nowhere.body.reason], [400, 'unknown_department'])
})

test('a desk that opens accounts by itself alone says so, and nobody signs up', async () => {
  const own = await bootDesk()
  await own.post('/api/admin/settings/update', await anAdmin(own), { sign_up: 0 })
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', password: 'correct horse' }

  const reply = await own.post('/api/auth/signup', undefined, person)

  assert.deepEqual([reply.status, reply.body.reason], [403, 'sign_up_closed'])
  const { sign_up, languages, max_files, max_file_bytes } = (await own.post('/api/desk')).data
  assert.deepEqual([sign_up, languages, max_files, max_file_bytes], [0, ['en', 'de'], 10, 26_214_400])
})

test('F2, F3 the form of a department binds those without an account, and what they answer comes with their ticket', async () => {
  const own = await bootDesk({ connections: 10 })
  await allow(own)
  const [admin, ada] = [await anAdmin(own), await aClient(own, { is_email_verified: true })]
  const options = [{ label: 'Inverter' }, { label: 'Storage' }]
  const product = await aField(own, admin, { key: 'product', kind: 'select', options, client_access: 'write' })
  const code = await aField(own, admin, { key: 'code', client_access: 'write' })
  const show_if = { field_id: product.id, in: [1] }
  const items = [
    { field_id: product.id, required: 1 },
    { field_id: code.id, required: 1, show_if }
  ]
  await aForm(own, admin, { is_default: 1, items })
  const before = await own.rowCounts()
  const open = (email: string, fields: object) => own.post(path, undefined, { ...written(email), fields })
  const opened = async () =>
    (await own.db.selectFrom('tickets').select('id').orderBy('id', 'desc').executeTakeFirst())!.id

  const refused = [await open('new@example.com', { product: 1 }), await open(ada.email, { product: 1 })]
  const wrong = await open(ada.email, { product: 7 })
  const after = await own.rowCounts()
  await open('new@example.com', { product: 2, code: 'hidden' })
  const stranger = await fieldsOf(own, admin, await opened())
  await open(ada.email, { product: 1, code: 'E-042' })
  // By then nobody sets the code any more.
  await own.post('/api/admin/fields/archive', admin, { id: code.id })
  const { emails } = await own.deliver()
  const { text } = emails.findLast(({ subject }) => /Confirm your ticket/.test(subject))!
  const link = new URL(/https?:\S+/.exec(text)![0])
  await fetch(`${own.url}${link.pathname}${link.search}`, { method: 'POST' })
  const confirmed = await fieldsOf(own, admin, await opened())

  for (const reply of refused) {
    assert.deepEqual([reply.status, reply.body.reason, reply.body.errors], [400, 'fields_required', ['fields.code']])
  }
  assert.deepEqual([wrong.status, wrong.body.errors], [400, ['fields.product']])
  assert.deepEqual(after, before)
  assert.deepEqual([stranger, confirmed], [{ product: 2 }, { product: 1 }])
})
