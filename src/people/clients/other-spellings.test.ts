import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { clientByEmail } from './client-by-email.ts'
import { importClients } from './import-clients.ts'
import { requiredColumns } from './import-fields.ts'
import { tableRows } from './import-rows.ts'
import { isSameEmail } from './same-email.ts'
import { signUp } from './sign-up.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
const receive = receiverOf(desk)
const password = 'correct horse'
const person = { first_name: 'Ada', last_name: 'Lovelace', password }
let serial = 0

/** An address in both ways to write its domain, with letters of other cases. */
function anAddress(): [string, string] {
  const name = `ada${++serial}`
  return [`${name}@münchen.example`, `${name.toUpperCase()}@XN--MNCHEN-3ya.example`]
}

async function aSupporterAt(email: string): Promise<void> {
  const { status, data } = await desk.post('/api/admin/staff/create', admin, {
    ...person,
    email: `s${++serial}@x.example`
  })
  assert.equal(status, 201)
  await desk.db.updateTable('staff').set({ email }).where('id', '=', data.user_id).execute()
}

async function clientsAt(name: string): Promise<number> {
  const found = await desk.db.selectFrom('clients').where('email', 'ilike', `${name}@%`).select('id').execute()
  return found.length
}

test('an address of which a client has the other way to write its domain is taken: by signing up, by staff, by a change', async () => {
  for (const [one, other] of [anAddress(), anAddress()]) {
    await aClient(desk, { email: one })
    const eve = await aClient(desk)
    const before = await desk.rowCounts()

    const refused = [
      await desk.post('/api/auth/signup', undefined, { ...person, email: other }),
      await desk.post('/api/admin/clients/create', admin, { ...person, email: other }),
      await desk.post('/api/admin/clients/update', admin, { id: eve.id, email: other }),
      await desk.post('/api/account/profile/update', eve, { email: other, current_password: eve.password })
    ]

    for (const [at, { status, body }] of refused.entries())
      assert.deepEqual([status, body.errors], [409, ['email']], `${at} ${JSON.stringify(body)}`)
    assert.deepEqual(await desk.rowCounts(), before)
    assert.equal(await clientsAt(one.split('@')[0]!), 1)
  }
})

test('a member of staff has an address in every way to write its domain', async () => {
  const [one, other] = anAddress()
  await aSupporterAt(one)

  const second = await desk.post('/api/admin/staff/create', admin, { ...person, email: other })
  const login = await desk.post('/api/admin/auth/login', undefined, { email: other, password })

  assert.equal(second.status, 409)
  assert.ok(login.status !== 401, login.body.message)
})

test('of two accounts that are made at once for one address in two ways, one is', async () => {
  for (let round = 0; round < 5; round++) {
    const both = anAddress()

    const made = await Promise.allSettled(
      both.map(email => signUp(desk.services, { ...person, email }, { ip: null, requestId: null }))
    )

    assert.deepEqual(made.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  }
})

test('an e-mail in either way belongs to the one account', async () => {
  const [one, other] = anAddress()

  const first = await receive(aMail({ From: one }))
  const second = await receive(aMail({ From: other }))

  assert.ok(first.ticket_id && second.ticket_id)
  assert.equal(await clientsAt(one.split('@')[0]!), 1)
})

test('an imported table brings nobody in a second way', async () => {
  const [one, other] = anAddress()
  const again = other.toLowerCase().replace('ada', 'bea')
  await aClient(desk, { email: one })
  const lines = [other, again].map(email => `${email},Ada,Lovelace`)
  const file = join(await mkdtemp(join(tmpdir(), 'deskline-ways-')), 'clients.csv')
  after(() => rm(dirname(file), { recursive: true }))
  await writeFile(file, ['email,first_name,last_name', ...lines].join('\n'))

  const options = { sealFactor: () => '', refused: () => assert.fail() }
  const tally = await importClients(desk.services, tableRows(file, requiredColumns), options)

  assert.deepEqual([tally.imported, tally.thereAlready], [1, 1])
})

test('whoever signs in, or asks for a link, may write the domain in either way', async () => {
  const [one, other] = anAddress()
  const ada = await aClient(desk, { email: one, is_email_verified: true })

  const login = await desk.post('/api/auth/login', undefined, { email: other, password: ada.password })
  const reset = await desk.post('/api/auth/forgot-password', undefined, { email: other })

  assert.equal(login.status, 200)
  assert.deepEqual([reset.status, reset.data.email], [200, ada.email])
})

test('accounts that were made in both ways stay, are changed and found, each as it is written', async () => {
  const [one, other] = anAddress()
  const [ada, eve] = [await aClient(desk, { email: one }), await aClient(desk, { email: other })]

  for (const client of [ada, eve]) {
    assert.equal((await clientByEmail(desk.db, client.email))?.id, client.id)
    assert.equal((await desk.post('/api/account/profile/update', client, { city: 'Bonn' })).status, 200)
  }
  const moved = { email: `only${serial}@example.com`, current_password: ada.password }
  assert.equal((await desk.post('/api/account/profile/update', ada, moved)).status, 200)
})

test('an address that is being changed is kept in every way, and another way to write one’s own is no other address', async () => {
  const [one, other] = anAddress()
  const ada = await aClient(desk, { email: one, is_email_verified: true })
  const grace = await aSupporter(desk, 'clients.view', 'clients.edit')
  const given = { id: ada.id, email: `moved${serial}@example.com` }
  assert.equal((await desk.post('/api/admin/clients/update', grace, given)).status, 200)

  const taken = await desk.post('/api/auth/signup', undefined, { ...person, email: other })

  assert.equal(taken.status, 409)
  const [two, same] = anAddress()
  assert.equal(await isSameEmail(desk.db, two, same), true)
  const bea = await aClient(desk, { email: two, is_email_verified: true })
  await desk.post('/api/account/profile/update', bea, { email: same, current_password: bea.password })
  const { email, is_email_verified } = (await desk.post('/api/account/profile', bea, {})).data.profile
  assert.deepEqual([email, is_email_verified], [same, 1])
})
