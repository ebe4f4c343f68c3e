import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import type { Asker, Reply } from '../../../test/support/requests.ts'
import { aFile, aTicket, form } from '../../../test/support/tickets.ts'
import { sweepExpired } from '../../mail/outbox/sweep.ts'

const desk = await bootDesk({ connections: 2 })
const opening = { department_id: 1, subject: 'The printer is on fire', message: 'Please hurry.' }

async function open(key: string, asker: Asker, body: object = opening): Promise<Reply> {
  return await postWithKey(desk, key, '/api/tickets/create', asker, body)
}

async function ticketsOf(client: { id: number }): Promise<number> {
  const rows = await desk.db.selectFrom('tickets').where('client_id', '=', client.id).select('id').execute()
  return rows.length
}

test('whoever repeats a request with its key gets the first answer again, and nothing is done twice', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const first = await open(key, ada)
  const before = await desk.rowCounts()

  const again = await open(key, ada)

  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
  assert.deepEqual([isReplayed(first), isReplayed(again)], [false, true])
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal(await ticketsOf(ada), 1)
})

test('a key that was used for another body is refused, and its answer stays', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const first = await open(key, ada)

  const other = await open(key, ada, { ...opening, message: 'Never mind.' })
  const again = await open(key, ada)

  assert.deepEqual([other.status, other.body.reason], [422, 'idempotency_key_reused'])
  assert.deepEqual(again.body, first.body)
  assert.equal(await ticketsOf(ada), 1)
})

test('a refusal writes nothing and is not remembered: the corrected body goes through under the same key', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const before = await desk.rowCounts()

  const missing = await open(key, ada, { subject: 'No words' })
  const unknown = await open(key, ada, { ...opening, department_id: 999 })
  const untouched = await desk.rowCounts()
  const corrected = await open(key, ada)

  assert.deepEqual([missing.status, unknown.status, corrected.status], [400, 400, 201])
  assert.deepEqual(untouched, before)
  assert.equal(isReplayed(corrected), false)
})

test('an endpoint is one under all its names, and others are others', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const key = newIdempotencyKey()
  const first = await postWithKey(desk, key, '/api/tickets/reply', ada, { ticket_id: id, message: 'Hello?' })

  const byAlias = await postWithKey(desk, key, `/api/tickets/${id}/reply`, ada, { message: 'Hello?' })
  const elsewhere = await postWithKey(desk, key, '/api/tickets/status', ada, { id, status: 'Closed' })
  const shared = await postWithKey(desk, key, '/api/tickets', ada, opening)
  const created = await open(key, ada)

  assert.deepEqual([isReplayed(byAlias), byAlias.data.message_id], [true, first.data.message_id])
  assert.deepEqual([elsewhere.status, isReplayed(elsewhere)], [200, false])
  assert.deepEqual([shared.status, isReplayed(shared)], [201, false])
  assert.deepEqual([isReplayed(created), created.data.ticket_id], [true, shared.data.ticket_id])
})

test('on an address of two endpoints the key is that of the one that was meant', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()

  const listed = await postWithKey(desk, key, '/api/tickets', ada, {})
  const opened = await postWithKey(desk, key, '/api/tickets', ada, opening)
  const listedAgain = await postWithKey(desk, key, '/api/tickets', ada, {})

  assert.deepEqual([listed.data.tickets.length, opened.status, listedAgain.data.tickets.length], [0, 201, 1])
  assert.equal(isReplayed(listedAgain), false)
})

test('the same fields are the same whatever their order, their encoding and the names that they have besides', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const first = await open(key, ada)
  const { department_id, subject, message } = opening
  const same: [object | FormData, ('json' | 'form')?][] = [
    [{ message, subject, department_id }],
    [{ subject: ` ${subject} `, message, deptid: '1' }],
    [{ ...opening, colour: 'red', priority: null }],
    [opening, 'form'],
    [form(opening)],
    [form({ message, deptid: 1, subject })]
  ]

  for (const [body, encoding] of same) {
    const again = await postWithKey(desk, key, '/api/tickets/create', ada, body, { encoding })

    assert.deepEqual([again.status, again.data?.ticket_id, isReplayed(again)], [201, first.data.ticket_id, true])
  }
})

test('files are part of what was asked for: by name, type and content, whatever their order', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const files = () => [aFile('one.txt', 'one', 'text/plain'), aFile('two.txt', 'two', 'text/plain')] as const
  const send = (...sent: File[]) => postWithKey(desk, key, '/api/tickets/create', ada, form(opening, ...sent))
  const first = await send(...files())
  const others = [
    [],
    [files()[0]],
    [...files(), files()[1]],
    [aFile('uno.txt', 'one', 'text/plain'), files()[1]],
    [aFile('one.txt', 'eins', 'text/plain'), files()[1]]
  ]

  for (const same of [files(), files().toReversed()]) {
    const again = await send(...same)
    assert.deepEqual([again.body, isReplayed(again)], [first.body, true])
  }
  for (const sent of others) {
    const other = await send(...sent)
    assert.deepEqual([other.status, other.body.reason], [422, 'idempotency_key_reused'])
  }
})

test('keys are those of their callers: neither others nor the other population meet them', async () => {
  const [ada, mary] = [await aClient(desk), await aClient(desk)]
  const key = newIdempotencyKey()
  const first = await open(key, ada)

  const hers = await open(key, mary)
  const { ticket_id: id } = first.data
  const grace = await aSupporter(desk, 'tickets.reply', 'tickets.view_all')
  const adas = await postWithKey(desk, key, '/api/tickets/reply', ada, { id, message: 'Hello?' })
  const graces = await postWithKey(desk, key, '/api/tickets/reply', grace, { id, message: 'Hello?' })

  assert.deepEqual([hers.status, isReplayed(hers)], [201, false])
  assert.notEqual(hers.data.ticket_id, id)
  assert.deepEqual([isReplayed(adas), isReplayed(graces)], [false, false])
  assert.notEqual(adas.data.message_id, graces.data.message_id)
})

test('the gates come first: no right is no answer, and no session either', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const grace = await aSupporter(desk, 'tickets.reply', 'tickets.view_all')
  const key = newIdempotencyKey()
  const note = () => postWithKey(desk, key, '/api/admin/tickets/note', grace, { id, note: 'He smokes.' })
  assert.equal((await note()).status, 201)

  await desk.db.deleteFrom('staff_permissions').where('staff_id', '=', grace.id).execute()
  const withoutRight = await note()
  await desk.post('/api/auth/logout', grace)
  const withoutSession = await note()
  const stranger = await postWithKey(desk, key, '/api/admin/tickets/note', undefined, { id, note: 'He smokes.' })

  assert.deepEqual([withoutRight.status, withoutSession.status, stranger.status], [403, 401, 401])
  for (const refused of [withoutRight, withoutSession, stranger]) assert.equal(isReplayed(refused), false)
})

test('the replay comes before the versions: what has moved on since is no conflict', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const admin = await anAdmin(desk)
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id })
  const change = { id, priority: 'High', expected_version: data.ticket.version }
  const key = newIdempotencyKey()
  const first = await postWithKey(desk, key, '/api/admin/tickets/update', admin, change)

  const again = await postWithKey(desk, key, '/api/admin/tickets/update', admin, change)
  const withoutKey = await desk.post('/api/admin/tickets/update', admin, change)

  assert.deepEqual([first.status, again.status, isReplayed(again)], [200, 200, true])
  assert.deepEqual(again.body, first.body)
  assert.equal(withoutKey.status, 409)
})

test('answers are remembered for 24 hours, and then the key is new', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const first = await open(key, ada)

  desk.clock.turn(86_400 - 60)
  const withinDay = await open(key, await loggedIn(ada))
  desk.clock.turn(60)
  const after = await open(key, await loggedIn(ada))
  const again = await open(key, await loggedIn(ada))
  const { idempotency_keys: swept } = await sweepExpired(desk.db, desk.clock.now())

  assert.deepEqual([isReplayed(withinDay), withinDay.data.ticket_id], [true, first.data.ticket_id])
  assert.deepEqual([after.status, isReplayed(after)], [201, false])
  assert.notEqual(after.data.ticket_id, first.data.ticket_id)
  assert.deepEqual([isReplayed(again), again.data.ticket_id], [true, after.data.ticket_id])
  assert.ok(swept > 0)
  assert.equal(isReplayed(await open(key, await loggedIn(ada))), true)
})

async function loggedIn({ email, password }: { email: string; password: string }): Promise<{ token: string }> {
  return (await desk.post('/api/auth/login', undefined, { email, password })).data
}

test('a blank key is none, and one of another form is refused', async () => {
  const ada = await aClient(desk)
  const send = (...given: string[]) => sendRaw(ada, given)

  for (const blank of ['', '   ']) {
    const [one, other] = [await send(blank), await send(blank)]
    assert.deepEqual([one.status, other.status, one.isReplayed, other.isReplayed], [201, 201, false, false])
  }
  for (const wrong of [
    ['a key'],
    ['k'.repeat(256)],
    ['schlüssel'],
    ['one', 'other'],
    ['same', 'same'],
    ['', 'one'],
    ['a\tb']
  ]) {
    const { status, reason } = await send(...wrong)
    assert.deepEqual([status, reason], [400, 'invalid_idempotency_key'], wrong.join())
  }
  for (const longest of ['k'.repeat(255), '"quoted"', '~!@#$%^&*()', 'a,b']) {
    const [one, other] = [await send(longest), await send(longest)]
    assert.deepEqual([one.status, other.status, one.isReplayed, other.isReplayed], [201, 201, false, true])
  }
})

/** Sends repeated headers, and bytes that no client of ours would send. */
async function sendRaw({ token }: { token: string }, keys: string[]) {
  const headers = ['Host', 'desk', 'Authorization', `Bearer ${token}`, 'Content-Type', 'application/json']
  for (const key of keys) headers.push('Idempotency-Key', key)
  const sent = request(`${desk.url}/api/tickets/create`, { method: 'POST', headers })
  sent.end(JSON.stringify(opening))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = JSON.parse(await text(answer))
  return {
    status: answer.statusCode,
    reason: body.reason,
    isReplayed: answer.headers['idempotent-replayed'] === 'true'
  }
}

test('strangers sign up once: the same form gives the same account, and another form is another request', async () => {
  const key = newIdempotencyKey()
  const form = { first_name: 'Mary', last_name: 'Shelley', email: 'mary@example.com', password: 'correct horse' }
  const signUp = (body: object) => postWithKey(desk, key, '/api/auth/signup', undefined, body)
  const first = await signUp(form)

  const again = await signUp(form)
  const withOtherPassword = await signUp({ ...form, password: 'battery staple' })
  const other = await signUp({ ...form, email: 'percy@example.com' })

  assert.deepEqual([first.status, again.status, isReplayed(again)], [201, 201, true])
  assert.deepEqual(again.body, first.body)
  assert.deepEqual([withOtherPassword.status, withOtherPassword.body.reason], [409, 'email_taken'])
  assert.deepEqual([other.status, isReplayed(other)], [201, false])
})

test('answers that hold secrets are never kept: there the header means nothing', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const logIn = () => postWithKey(desk, key, '/api/auth/login', undefined, { email: ada.email, password: ada.password })
  const setUp = () => postWithKey(desk, key, '/api/auth/2fa/setup', ada)
  const before = await desk.rowCounts()

  const [one, other] = [await logIn(), await logIn()]
  const [secret, another] = [await setUp(), await setUp()]

  assert.notEqual(one.data.token, other.data.token)
  assert.notEqual(secret.data.secret, another.data.secret)
  assert.equal((await desk.rowCounts()).idempotency_keys, before.idempotency_keys)
})

test('what is kept of an answer cannot be read without the secrets of the application', async () => {
  const ada = await aClient(desk)
  await open('plain-to-see', ada, { ...opening, subject: 'Nobody reads this' })

  const rows = await desk.db.selectFrom('idempotency_keys').selectAll().execute()

  assert.ok(rows.length > 0)
  assert.doesNotMatch(JSON.stringify(rows), /plain-to-see|Nobody reads|Please hurry|tickets\/create/)
})
