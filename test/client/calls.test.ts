import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../client/src/index.js'
import { codeAt, turnTwoFactorOn, wrongCode } from '../support/authenticator.ts'
import { bootDesk } from '../support/desk.ts'
import { failureOf } from '../support/failure-of.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { aField, fieldsOf } from '../support/fields.ts'
import { aClient, anAdmin, type Person } from '../support/people.ts'
import { aTicket } from '../support/tickets.ts'

const desk = await bootDesk({ connections: 10 })

async function signedIn(person: Person, population: 'client' | 'staff' = 'client') {
  const client = createClient({ baseUrl: desk.url })
  await client.signIn({ email: person.email, password: person.password, population })
  return client
}

test('a program acts with an API token, and signs nobody in or out', async () => {
  const admin = await anAdmin(desk)
  const { data: made } = await desk.post('/api/account/tokens/create', admin, { name: 'Program' })
  const program = createClient({ baseUrl: desk.url, token: made.token })
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))

  const { data } = await program.POST('/api/admin/tickets/detail', { body: { id } })
  for await (const { tickets } of program.pages('/api/admin/tickets/list')) assert.ok(tickets.length > 0)
  for await (const { kind } of program.stream({ after: 0 })) if (kind) break

  assert.equal(data.ticket.id, id)
  const withoutTypes = program as unknown as { signOut(): Promise<void> }
  await assert.rejects(withoutTypes.signOut(), /its owner revokes the token/)
})

test('a client signs in, opens a ticket, reads it and signs out, which ends the session', async () => {
  const ada = await aClient(desk)
  const client = createClient({ baseUrl: `${desk.url}/` })

  const user = await client.signIn({ email: ada.email, password: ada.password, population: 'client' })
  const { data: opened } = await client.POST('/api/tickets/create', {
    body: { deptid: 1, subject: 'On fire', message: 'It burns.' }
  })
  const {
    data: read,
    code,
    response
  } = await client.POST('/api/tickets/{id}', {
    params: { path: { id: opened.ticket_id } }
  })
  await client.signOut()
  const afterwards = await failureOf(client.POST('/api/tickets/list'))

  assert.ok('user' in user && user.user.email === ada.email)
  assert.equal(read.ticket.subject, 'On fire')
  assert.deepEqual([code, response.status], [200, 200])
  assert.deepEqual([afterwards.status, afterwards.reason], [401, 'unauthenticated'])
  assert.equal((await desk.post('/api/account/profile', user)).status, 401)
  await client.signOut()
})

test('a second factor is asked for and given, for clients and staff', async () => {
  for (const population of ['client', 'staff'] as const) {
    const person = await (population === 'client' ? aClient(desk) : anAdmin(desk))
    const secret = await turnTwoFactorOn(desk, person)
    const client = createClient({ baseUrl: desk.url })

    const asked = await client.signIn({ email: person.email, password: person.password, population })
    const wrong = await failureOf(client.verifyTwoFactor({ code: wrongCode(secret, desk.clock.now()) }))
    const { user } = await client.verifyTwoFactor({ code: codeAt(secret, desk.clock.now(), 1) })
    const { data } = await client.POST('/api/account/profile')

    assert.equal('requires_2fa' in asked && asked.requires_2fa, 1)
    assert.deepEqual([wrong.status, wrong.reason], [401, 'wrong_two_factor_code'])
    assert.deepEqual([user.email, data.profile.email], [person.email, person.email])
  }
})

test('a refusal is an error that says why, to programs and to people', async () => {
  const ada = await aClient(desk)
  const client = await signedIn(ada)

  const missing = await failureOf(client.POST('/api/tickets/create', { body: { subject: 'On fire', message: '' } }))
  const foreign = await failureOf(client.POST('/api/tickets/detail', { body: { id: 999 } }))
  const wrong = await failureOf(client.signIn({ email: ada.email, password: 'wrong' }))
  const taken = await failureOf(
    client.POST('/api/auth/signup', { body: { ...ada, first_name: 'Ada', last_name: 'Lovelace' } })
  )

  assert.ok(missing instanceof Error && missing.name === 'DesklineError')
  assert.deepEqual(
    [missing.status, missing.reason, missing.errors],
    [400, 'missing_fields', ['department_id', 'message']]
  )
  assert.match(missing.message, /^Missing required fields/)
  assert.match(missing.requestId ?? '', /./)
  assert.deepEqual([foreign.status, foreign.reason, foreign.errors], [404, 'ticket_not_found', []])
  assert.deepEqual([wrong.status, wrong.reason], [401, 'invalid_credentials'])
  assert.deepEqual([taken.status, taken.reason], [409, 'email_taken'])
  assert.equal((await client.POST('/api/account/profile')).data.profile.email, ada.email)
})

test('what a refusal carries for programs is there: a reply that crossed another one', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const staff = await signedIn(await anAdmin(desk), 'staff')
  await desk.post('/api/tickets/reply', ada, { id, message: 'And it is hot.' })

  const crossed = await failureOf(
    staff.POST('/api/admin/tickets/reply', { body: { id, message: 'Which?', last_seen_message_id: 1 } })
  )

  assert.equal(crossed.status, 409)
  assert.ok(Array.isArray(crossed.data?.messages))
})

test('where nothing answers, or something else does, the error says that', async () => {
  const front = await faultyProxy(desk.url, ({ path }) =>
    path.endsWith('/login') ? 'lose' : { status: path.endsWith('/desk') ? 200 : 418, body: '<h1>Tea</h1>' }
  )
  const client = createClient({ baseUrl: front.url, retries: 0 })

  const lost = await failureOf(client.signIn({ email: 'ada@example.com', password: 'wrong' }))
  const strange = await failureOf(client.POST('/api/departments'))
  const page = await failureOf(client.POST('/api/desk'))

  assert.deepEqual([lost.status, lost.reason], [0, 'network_error'])
  assert.ok(lost.cause instanceof TypeError)
  assert.deepEqual([strange.status, strange.reason], [418, 'unexpected_answer'])
  assert.deepEqual([page.status, page.reason], [200, 'unexpected_answer'])
})

test('a call is given up when its signal says so, with the reason of the signal', async () => {
  const client = createClient({ baseUrl: desk.url })
  const why = new Error('The reader has left')

  await assert.rejects(client.POST('/api/departments', { signal: AbortSignal.abort(why) }), why)
})

test('the pages of a list follow each other, by number and by cursor', async () => {
  const ada = await aClient(desk)
  for (let number = 1; number <= 5; number++) await aTicket(desk, ada, { subject: `Ticket ${number}` })
  const client = await signedIn(ada)
  const staff = await signedIn(await anAdmin(desk), 'staff')

  const numbered: string[][] = []
  for await (const { tickets } of client.pages('/api/tickets/list', { body: { limit: 2 } })) {
    numbered.push(tickets.map(({ subject }) => subject))
  }
  const byCursor: string[][] = []
  for await (const { tickets } of staff.pages('/api/admin/tickets/list', { body: { limit: 2, client_id: ada.id } })) {
    byCursor.push(tickets.map(({ subject }) => subject))
  }
  const none: number[] = []
  for await (const { total } of client.pages('/api/tickets/list', { body: { status: 'Closed' } })) none.push(total)

  const subjects = ['Ticket 5', 'Ticket 4', 'Ticket 3', 'Ticket 2', 'Ticket 1']
  assert.deepEqual([numbered.flat(), numbered.length], [subjects, 3])
  assert.deepEqual([byCursor.flat(), byCursor.length], [subjects, 3])
  assert.deepEqual(none, [0])
})

test('custom fields go along with files as with JSON', async () => {
  const ada = await aClient(desk)
  const admin = await anAdmin(desk)
  const client = await signedIn(ada)
  const options = [{ label: 'One' }, { label: 'Two' }]
  await aField(desk, admin, { key: 'modules', kind: 'multi_select', options, client_access: 'write' })
  await aField(desk, admin, { key: 'serial', client_access: 'write' })
  const fields = { modules: [1, 2], serial: 'SN-1' }

  const { data } = await client.upload('/api/tickets/create', {
    fields: { deptid: 1, subject: 'On fire', message: 'See the file.', fields },
    files: [new File(['x'], 'x.txt', { type: 'text/plain' })]
  })

  assert.deepEqual(await fieldsOf(desk, admin, data.ticket_id), fields)
})

test('files go along, and how much of them has gone is told', async () => {
  const ada = await aClient(desk)
  const client = await signedIn(ada)
  const told: { loaded: number; total: number }[] = []
  const log = new File(['x'.repeat(300_000)], 'printer log.txt', { type: 'text/plain' })

  const { data } = await client.upload('/api/tickets/create', {
    fields: { deptid: 1, subject: 'On fire', message: 'See the files.' },
    files: [log, new File(['y'], 'ünd.txt', { type: 'text/plain' })],
    onProgress: progress => told.push(progress)
  })
  const { data: reply } = await client.upload('/api/tickets/{id}/reply', {
    params: { path: { id: data.ticket_id } },
    fields: { message: 'One more.' },
    files: { attachments: new File(['z'], 'z.txt') }
  })

  assert.deepEqual(
    data.attachments.map(({ file_name, file_size }) => [file_name, file_size]),
    [
      ['printer log.txt', 300_000],
      ['ünd.txt', 1]
    ]
  )
  assert.deepEqual(
    reply.attachments.map(({ file_name }) => file_name),
    ['z.txt']
  )
  assert.deepEqual(
    told,
    told.toSorted((one, other) => one.loaded - other.loaded)
  )
  assert.deepEqual([told.at(-1)?.loaded, new Set(told.map(({ total }) => total)).size], [told[0]?.total, 1])
})
