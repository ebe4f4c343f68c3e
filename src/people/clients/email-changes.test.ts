import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { transaction } from '../../core/db.ts'
import { lockClient } from './lock-client.ts'

const desk = await bootDesk({ connections: 10 })
let editor: Person
let admin: Person
let serial = 0

before(async () => {
  editor = await aSupporter(desk, 'clients.edit')
  admin = await anAdmin(desk)
})

const fresh = () => `given.${++serial}@example.com`
const change = (client: { id: number }, email: string, by = editor) =>
  desk.post('/api/admin/clients/update', by, { id: client.id, email })
const forgot = (email: string) => desk.post('/api/auth/forgot-password', undefined, { email })
const askCode = (email: string) => desk.post('/api/auth/send-email-verification', undefined, { email })
const confirmByLink = (token: string) => desk.post('/api/auth/confirm-email-change', undefined, { token })
const confirmByAdmin = (client: { id: number }, email: string, by = admin) =>
  desk.post('/api/admin/clients/confirm-email', by, { id: client.id, email })

async function messagesTo(email: string) {
  return (await desk.deliver()).emails.filter(({ to }) => to === email)
}

async function linkTo(email: string): Promise<string> {
  const emails = await messagesTo(email)
  return /^http\S+confirm-email\S+$/m.exec(emails.findLast(({ text }) => /confirm-email/.test(text))!.text)![0]
}

async function tokenTo(email: string): Promise<string> {
  return new URL(await linkTo(email)).searchParams.get('token')!
}

/** Whether a reset link is sent to this address. */
async function isReset(email: string): Promise<boolean> {
  const before = (await messagesTo(email)).length
  const { status, data } = await forgot(email)
  const after = (await messagesTo(email)).length
  assert.ok(status === 200 ? data.reset_token && after === before + 1 : status === 409 && after === before, `${status}`)
  return status === 200
}

test('after a change by a supporter nobody becomes the client: no reset link, no code, no invitation goes to the new address', async () => {
  const ada = await aClient(desk, { is_email_verified: true })
  const email = fresh()

  const changed = await change(ada, email)

  assert.deepEqual([changed.status, changed.data.client.is_email_confirmed], [200, 0])
  const before = await desk.rowCounts()
  const refusals = [
    await forgot(email),
    await desk.post('/api/admin/clients/send_reset', editor, { id: ada.id }),
    await desk.post('/api/admin/clients/send_reset', admin, { id: ada.id }),
    await askCode(email)
  ]
  assert.deepEqual(
    refusals.map(({ status, body }) => [status, /previous address, or by an admin/.test(body.message)]),
    Array(4).fill([409, true])
  )
  assert.deepEqual(await desk.rowCounts(), before)
  assert.deepEqual(await messagesTo(email), [])
  assert.equal((await forgot(ada.email)).status, 404)
  // The client, who knows the password, can still log in.
  const login = await desk.post('/api/auth/login', undefined, { email, password: ada.password })
  assert.equal(login.status, 200)
})

test('the new address is told nothing that was written, whatever it was before', async () => {
  const ada = await aClient(desk, { is_email_verified: true })
  const { ticket_id } = await aTicket(desk, ada, { subject: 'A secret subject' })
  const email = fresh()
  await change(ada, email)

  await desk.post('/api/admin/tickets/reply', admin, { id: ticket_id, message: 'A secret answer' })

  const told = JSON.stringify(await messagesTo(email))
  assert.doesNotMatch(told, /secret/)
})

test('the former address confirms it by a page with one button, which opening does not press, and once', async () => {
  const ada = await aClient(desk)
  const email = fresh()
  await change(ada, email)
  const link = (await linkTo(ada.email)).replace(/^https?:\/\/[^/]+/, desk.url)

  const page = await fetch(link)
  const text = await page.text()
  assert.equal(await isReset(email), false)
  const pressed = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  const again = await fetch(link, { method: 'POST' })

  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; .*form-action 'self'/)
  assert.ok(text.includes('g…@example.com') && !text.includes(email))
  assert.deepEqual([pressed.status, again.status, (await fetch(link)).status], [200, 401, 401])
  assert.equal(await isReset(email), true)
})

test('an admin confirms it, and is named to both addresses; a supporter does not', async () => {
  const ada = await aClient(desk)
  const email = fresh()
  await change(ada, email)
  const token = await tokenTo(ada.email)

  const supporter = await confirmByAdmin(ada, email, editor)
  const other = await confirmByAdmin(ada, fresh())
  const reply = await confirmByAdmin(ada, email)
  const again = await confirmByAdmin(ada, email)

  assert.deepEqual([supporter.status, other.status, reply.status, again.status], [403, 409, 200, 400])
  assert.equal(reply.data.client.is_email_confirmed, 1)
  assert.equal((await confirmByLink(token)).status, 401)
  for (const address of [ada.email, email]) {
    assert.match((await messagesTo(address)).at(-1)!.text, /Grace Hopper, an administrator/)
  }
  assert.equal(await isReset(email), true)
})

test('a change by an admin is confirmed by that admin, who is named to both', async () => {
  const ada = await aClient(desk)
  const email = fresh()

  const reply = await change(ada, email, admin)

  assert.equal(reply.data.client.is_email_confirmed, 1)
  for (const address of [ada.email, email]) {
    assert.match((await messagesTo(address)).at(-1)!.text, /Grace Hopper, an administrator/)
  }
  assert.equal(await isReset(email), true)
})

test('of changes in a row the last address that was not in doubt confirms the last one, never one in between', async () => {
  const ada = await aClient(desk)
  const [between, last] = [fresh(), fresh()]
  await change(ada, between)
  const old = await tokenTo(ada.email)

  await change(ada, last)

  const ofBetween = await messagesTo(between)
  assert.ok(ofBetween.length === 1 && !/confirm-email/.test(ofBetween[0]!.text))
  assert.equal((await confirmByLink(old)).status, 401)
  assert.equal(await isReset(last), false)
  assert.equal((await confirmByLink(await tokenTo(ada.email))).status, 200)
  assert.equal(await isReset(last), true)
})

test('coming back to the address that was not in doubt needs no confirmation, and ends the link', async () => {
  const ada = await aClient(desk)
  await change(ada, fresh())
  const token = await tokenTo(ada.email)

  const back = await change(ada, ada.email.toUpperCase())

  assert.equal(back.data.client.is_email_confirmed, 1)
  assert.equal((await confirmByLink(token)).status, 401)
  assert.equal(await isReset(ada.email.toUpperCase()), true)
})

test('clients who choose an address themselves, with the password, need nobody to confirm it', async () => {
  const ada = await aClient(desk)
  const [given, own] = [fresh(), fresh()]
  await change(ada, given)
  const login = await desk.post('/api/auth/login', undefined, { email: given, password: ada.password })
  const bearer = { ...ada, token: login.data.token }

  const reply = await desk.post('/api/account/profile/update', bearer, { email: own, current_password: ada.password })

  assert.equal(reply.status, 200)
  assert.equal(await isReset(own), true)
})

test('the link works for a week and cannot be made up; the former address need not have been verified', async () => {
  const ada = await aClient(desk, { is_email_verified: false })
  const email = fresh()
  await change(ada, email)
  const token = await tokenTo(ada.email)
  const { reset_token } = (await forgot(editor.email)).data ?? {}

  desk.clock.turn(7 * 86_400 + 1)
  const late = await confirmByLink(token)
  desk.clock.turn(-7 * 86_400 - 1)

  assert.deepEqual([late.status, (await confirmByLink(String(reset_token))).status], [401, 401])
  assert.equal((await confirmByLink(token)).status, 200)
})

test('a confirmation beside another change confirms the address that it was for, or none', async () => {
  const ada = await aClient(desk)
  const [meant, next] = [fresh(), fresh()]
  await change(ada, meant)
  const token = await tokenTo(ada.email)

  const late = await transaction(desk.db, async db => {
    await lockClient(db, ada.id)
    await db.updateTable('clients').set({ email: next }).where('id', '=', ada.id).execute()
    await db.deleteFrom('email_changes').where('client_id', '=', ada.id).execute()
    await db.insertInto('email_changes').values({ client_id: ada.id, former_email: ada.email }).execute()
    return { link: confirmByLink(token), admin: confirmByAdmin(ada, meant) }
  })

  assert.deepEqual([(await late.link).status, (await late.admin).status], [401, 409])
  assert.equal(await isReset(next), false)
})

test('of many confirmations at once one serves, and of many changes at once one address is in doubt', async () => {
  const ada = await aClient(desk)
  const addresses = Array.from({ length: 8 }, fresh)

  const changes = await Promise.all(addresses.map(email => change(ada, email)))

  assert.deepEqual(new Set(changes.map(({ status }) => status)), new Set([200]))
  const doubts = await desk.db.selectFrom('email_changes').where('client_id', '=', ada.id).selectAll().execute()
  assert.deepEqual(
    doubts.map(({ former_email }) => former_email),
    [ada.email]
  )
  const emails = await messagesTo(ada.email)
  const tokens = emails.flatMap(({ text }) => /confirm-email\?token=(\S+)/.exec(text)?.[1] ?? [])
  assert.equal(tokens.length, 8)
  const confirmations = await Promise.all([...tokens, ...tokens, ...tokens].map(confirmByLink))
  assert.deepEqual(confirmations.map(({ status }) => status).sort(), [200, ...Array(23).fill(401)])
})

test('the audit log tells who confirmed, and an erased client leaves no former address behind', async () => {
  const ada = await aClient(desk)
  await change(ada, fresh())
  await confirmByLink(await tokenTo(ada.email))
  const email = fresh()
  await change(ada, email)
  await confirmByAdmin(ada, email)
  await change(ada, fresh())

  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'client.email_confirmed')
    .where('target_id', '=', ada.id)
    .select(['actor_type', 'actor_id', 'after'])
    .orderBy('id')
    .execute()
  const { data } = await desk.post('/api/admin/clients/update', admin, { id: ada.id })
  const erased = { id: ada.id, mode: 'anonymize', confirm_email: data.client.email }
  assert.equal((await desk.post('/api/admin/clients/delete', admin, erased)).status, 200)

  assert.deepEqual(rows, [
    { actor_type: 'client', actor_id: ada.id, after: { by: 'link' } },
    { actor_type: 'staff', actor_id: admin.id, after: { by: 'admin' } }
  ])
  const left = await desk.db
    .selectFrom('outbox_messages')
    .select('id')
    .where('recipient', 'in', [ada.email, email])
    .execute()
  const doubts = await desk.db.selectFrom('email_changes').where('client_id', '=', ada.id).select('id').execute()
  assert.deepEqual([doubts, left], [[], []])
})
