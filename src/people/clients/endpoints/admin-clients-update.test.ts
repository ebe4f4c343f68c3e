import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { untilLockWait } from '../../../../test/support/lock-waits.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { transaction } from '../../../core/db.ts'
import { openSession } from '../../../core/sessions/sessions.ts'
import { erasedEmail } from '../erased.ts'
import { lockClient } from '../lock-client.ts'

const desk = await bootDesk({ connections: 10 })
const address = '/api/admin/clients/update'
let grace: Person
let serial = 0

before(async () => {
  grace = await aSupporter(desk, 'clients.edit')
})

const update = (client: { id: number }, changes: object) => desk.post(address, grace, { id: client.id, ...changes })
const freshEmail = () => `moved.${++serial}@example.com`

async function rowOf({ id }: { id: number }) {
  return await desk.db.selectFrom('clients').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
}

async function isLoggedIn(person: Person): Promise<boolean> {
  return (await desk.post('/api/tickets/list', person)).status === 200
}

async function recordedOf({ id }: { id: number }) {
  return await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'client')
    .where('target_id', '=', id)
    .select(['action', 'actor_id', 'before', 'after'])
    .orderBy('id')
    .execute()
}

test('what is given is changed, null empties, and all else stays', async () => {
  const ada = await aClient(desk, { phone_number: '+31612345678', city: 'London', is_email_verified: true })

  const reply = await update(ada, { first_name: 'Augusta', company_name: 'Engines', city: null })

  const row = await rowOf(ada)
  assert.equal(reply.status, 200)
  assert.deepEqual(
    [row.first_name, row.last_name, row.company_name, row.city, row.phone_number, row.email, row.is_email_verified],
    ['Augusta', 'Lovelace', 'Engines', '', '+31612345678', ada.email, true]
  )
  assert.deepEqual([reply.data.client.first_name, reply.data.client.city], ['Augusta', ''])
  assert.equal(await isLoggedIn(ada), true)
})

test('a form empties a field with an empty text', async () => {
  const ada = await aClient(desk, { city: 'London' })

  const reply = await desk.post(`/api/admin/clients/${ada.id}/update`, grace, { city: '' }, 'form')

  assert.deepEqual([reply.status, reply.data.client.city], [200, ''])
})

test('without a change it tells the client, and writes nothing', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  const reply = await update(ada, { first_name: ada.first_name })

  assert.deepEqual([reply.status, reply.data.client.email], [200, ada.email])
  assert.equal(reply.data.client.version, (await rowOf(ada)).version)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a new e-mail address is not verified, ends sessions, voids codes and reset links, and the former one is told', async () => {
  const ada = await aClient(desk, { is_email_verified: true, phone_number: '+31612340000' })
  const { reset_token: token } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data
  const { code } = (await desk.post('/api/auth/send-phone-verification', ada)).data
  const email = freshEmail()

  const reply = await update(ada, { email })

  const reset = await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'battery staple' })
  const login = (email: string) => desk.post('/api/auth/login', undefined, { email, password: ada.password })
  const { emails } = await desk.deliver()
  const [told] = emails.filter(each => each.to === ada.email && /e-mail address/.test(each.subject))
  assert.deepEqual([reply.data.client.email, reply.data.client.is_email_verified], [email, 0])
  assert.equal(await isLoggedIn(ada), false)
  assert.equal((await desk.post('/api/auth/refresh', undefined, { refresh_token: ada.refresh_token })).status, 401)
  assert.equal(reset.status, 401)
  assert.deepEqual([(await login(ada.email)).status, (await login(email)).status], [401, 200])
  const stranger = { phone_number: '+31612340000', code }
  assert.equal((await desk.post('/api/auth/verify-phone', undefined, stranger)).status, 400)
  assert.ok(told && !told.text.includes(email))
  assert.deepEqual(
    emails.filter(each => each.to === email),
    []
  )
})

test('another way to write the same address is kept, and is no new address', async () => {
  const ada = await aClient(desk, { is_email_verified: true })

  const reply = await update(ada, { email: ada.email.toUpperCase() })

  assert.deepEqual([reply.data.client.email, reply.data.client.is_email_verified], [ada.email.toUpperCase(), 1])
  assert.equal(await isLoggedIn(ada), true)
})

test('a new phone number is not verified, and voids the code that was texted to the former', async () => {
  const ada = await aClient(desk, { phone_number: '+31612345001', is_phone_verified: true })
  const { code } = (await desk.post('/api/auth/send-phone-verification', ada)).data

  const reply = await update(ada, { phone_number: '+31612345002' })

  const late = await desk.post('/api/auth/verify-phone', ada, { phone_number: '+31612345001', code })
  assert.equal(reply.data.client.is_phone_verified, 0)
  assert.equal(late.status, 400)
  assert.equal((await rowOf(ada)).phone_number, '+31612345002')
})

test('a deactivation ends the sessions at once, and reactivated a client logs in again', async () => {
  const ada = await aClient(desk)
  const login = () => desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })

  await update(ada, { is_active: 0 })
  const [isIn, refused] = [await isLoggedIn(ada), await login()]
  await update(ada, { is_active: 1 })

  assert.deepEqual([isIn, refused.status, (await login()).status, await isLoggedIn(ada)], [false, 403, 200, false])
})

test('an address that another client has is a 409 that changes nothing, also when two ask for it at once', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const before = await desk.rowCounts()

  const taken = await update(ada, { email: eve.email.toUpperCase(), first_name: 'Eve' })

  assert.deepEqual([taken.status, taken.body.errors], [409, ['email']])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await rowOf(ada)).first_name, 'Ada')

  const email = freshEmail()
  const both = await Promise.all([ada, eve].map(client => update(client, { email })))
  assert.deepEqual(both.map(each => each.status).sort(), [200, 409])
})

test('staff set no password', async () => {
  const ada = await aClient(desk)
  const { password } = await rowOf(ada)

  await update(ada, { password: 'chosen by staff', first_name: 'Augusta' })

  assert.equal((await rowOf(ada)).password, password)
})

test('who has an older version before them is told the current one', async () => {
  const ada = await aClient(desk)
  const { version } = (await update(ada, {})).data.client

  const first = await update(ada, { first_name: 'Augusta', expected_version: version })
  const second = await update(ada, { first_name: 'Ada', expected_version: version })

  const current = first.data.client.version
  assert.deepEqual([first.status, second.status], [200, 409])
  assert.ok(current > version)
  assert.deepEqual([second.data, second.headers.get('x-current-version')], [{ current_version: current }, `${current}`])
  assert.equal((await rowOf(ada)).first_name, 'Augusta')
})

test('the audit log tells who changed which fields, and nothing of what was in them', async () => {
  const ada = await aClient(desk)
  const email = freshEmail()

  await update(ada, { email, first_name: 'Augusta', is_active: 0 })

  const [entry, ...others] = await recordedOf(ada)
  assert.deepEqual(others, [])
  assert.deepEqual(entry, {
    action: 'client.updated',
    actor_id: grace.id,
    before: { is_active: true },
    after: { is_active: false, fields: ['first_name', 'email', 'is_active'] }
  })
})

test('there is no client to change where there is none', async () => {
  assert.equal((await update({ id: 987_654 }, { first_name: 'Eve' })).status, 404)
})

test('a session that is being opened while the address changes does not outlive it', async () => {
  const ada = await aClient(desk)
  const { password } = await rowOf(ada)
  const account = { population: 'client', id: ada.id, password } as const

  const [opened, changed] = await transaction(desk.db, async db => {
    await openSession(desk.services, db, account, { ip: '127.0.0.1', userAgent: 'test' })
    const changed = update(ada, { email: freshEmail() })
    await untilLockWait(desk)
    return [true, { reply: changed }] as const
  })

  assert.ok(opened)
  assert.equal((await changed.reply).status, 200)
  const living = desk.db.selectFrom('sessions').where('client_id', '=', ada.id).where('ended_at', 'is', null)
  assert.deepEqual(await living.select('id').execute(), [])
})

for (const path of ['/api/auth/forgot-password', '/api/auth/send-email-verification']) {
  test(`what ${path} is asked for while the address changes does not go to the former one`, async () => {
    const ada = await aClient(desk)
    const email = freshEmail()

    const { asked } = await transaction(desk.db, async db => {
      await lockClient(db, ada.id)
      const asked = desk.post(path, undefined, { email: ada.email })
      await untilLockWait(desk)
      await db.updateTable('clients').set({ email }).where('id', '=', ada.id).execute()
      return { asked }
    })

    assert.equal((await asked).status, 404)
    const { emails } = await desk.deliver()
    assert.deepEqual(
      emails.filter(each => each.to === ada.email),
      []
    )
  })
}

test('send_reset sends nothing to a client who is erased meanwhile', async () => {
  const ada = await aClient(desk)
  const email = erasedEmail(ada.id)

  const { asked } = await transaction(desk.db, async db => {
    await lockClient(db, ada.id)
    const asked = desk.post('/api/admin/clients/send_reset', grace, { id: ada.id })
    await untilLockWait(desk)
    await db.updateTable('clients').set({ email, is_active: false }).where('id', '=', ada.id).execute()
    return { asked }
  })

  const { status, body } = await asked
  assert.deepEqual([status, body.reason], [409, 'client_erased'])
  const messages = desk.db.selectFrom('outbox_messages').where('client_id', '=', ada.id).select('recipient')
  assert.deepEqual(await messages.execute(), [])
})

test('send_reset mails the link of forgot-password, and nobody but the client sees it', async () => {
  const ada = await aClient(desk)
  const { reset_token: older } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data
  await desk.deliver()

  const reply = await desk.post('/api/admin/clients/send_reset', grace, { id: ada.id })

  const { emails } = await desk.deliver()
  const message = emails.filter(each => each.to === ada.email).at(-1)!
  const token = /token=([\w.-]+)&/.exec(message.text)![1]!
  const reset = (token: string) =>
    desk.post('/api/auth/reset-password', undefined, { token, new_password: 'new horse' })
  assert.deepEqual(reply.data, { email: ada.email, expires_in: 3600 })
  assert.deepEqual([(await reset(older)).status, (await reset(token)).status], [401, 200])
  const [entry] = await recordedOf(ada)
  assert.deepEqual([entry?.action, entry?.actor_id], ['client.reset_sent', grace.id])
})

test('send_reset is bounded for whoever sends, strangers who ask for e-mails do not hold it up, and it knows no client that is none', async () => {
  const guarded = await bootDesk({ config: { MAX_RESET_MAILS: 2 } })
  const [ada, admin] = [await aClient(guarded), await anAdmin(guarded)]
  const send = () => guarded.post(`/api/admin/clients/${ada.id}/send_reset`, admin)
  const statuses = [
    (await send()).status,
    (await guarded.post('/api/auth/forgot-password', undefined, { email: ada.email })).status,
    (await send()).status,
    (await send()).status,
    (await guarded.post('/api/admin/clients/send_reset', admin, { id: 987_654 })).status
  ]

  assert.deepEqual(statuses, [200, 200, 200, 429, 404])
})
