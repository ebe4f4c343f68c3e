import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { anOrganisation } from '../../../test/support/organisations.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { withoutAttemptLimits } from '../../../test/support/routes.ts'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { importClients } from '../clients/import-clients.ts'
import { joinByDomain } from './membership.ts'

const desk = await bootDesk({ config: withoutAttemptLimits, connections: 5 })
const admin = await anAdmin(desk)
let serial = 0

const fresh = () => `d${++serial}.example`

/** The account's organisation and role, and how it joined. */
async function membership({ id }: { id: number }) {
  const row = await desk.db
    .selectFrom('clients')
    .where('id', '=', id)
    .select(['organisation_id', 'organisation_role', 'organisation_joined_by'])
    .executeTakeFirstOrThrow()
  return Object.values(row)
}

async function typeCode(client: Person): Promise<void> {
  await desk.post('/api/auth/send-email-verification', client)
  const { emails } = await desk.deliver()
  const code = /\b\d{6}\b/.exec(emails.findLast(({ to }) => to === client.email)!.text)![0]
  const reply = await desk.post('/api/auth/verify-email', client, { code })
  assert.equal(reply.status, 200, reply.body.message)
}

const at = (domain: string, given: object = {}) => aClient(desk, { email: `ada.${++serial}@${domain}`, ...given })

test('G3: who proves an address at the domain becomes a member, never a manager; a claim joins nothing', async () => {
  const domain = fresh()
  const { id } = await anOrganisation(desk, { domains: [domain] })
  const ada = await at(domain)
  const claimed = await membership(ada)

  await typeCode(ada)

  assert.deepEqual(claimed, [null, null, null])
  assert.deepEqual(await membership(ada), [id, 'member', 'domain'])
  const events = await desk.db
    .selectFrom('events')
    .where('kind', '=', 'client.organisation_changed')
    .where('subject_id', '=', ada.id)
    .select(['after', 'actor_type'])
    .execute()
  assert.deepEqual(events, [
    { after: { organisation_id: id, organisation_role: 'member', by: 'domain' }, actor_type: 'system' }
  ])
})

test('G3: a reset by e-mail proves the address as well', async () => {
  const domain = fresh()
  const { id } = await anOrganisation(desk, { domains: [domain] })
  const ada = await at(domain)

  const { reset_token: token } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data
  await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'battery staple' })

  assert.deepEqual(await membership(ada), [id, 'member', 'domain'])
})

test('G3: subdomains and look-alikes do not count, punycode and Unicode are the same domain', async () => {
  const { id } = await anOrganisation(desk, { domains: ['xn--mller-kva.example', 'plain.example'] })
  const joins = async (domain: string) => {
    const client = await at(domain, { is_email_verified: true })
    await act(desk.services, system, act => joinByDomain(act, [client.id]))
    return (await membership(client))[0]
  }

  assert.deepEqual(
    [
      await joins('müller.example'),
      await joins('MÜLLER.Example'),
      await joins('xn--mller-kva.example'),
      await joins('Plain.EXAMPLE')
    ],
    [id, id, id, id]
  )
  const others = [
    'mail.plain.example',
    'plain.example.org',
    'explain.example',
    'muller.example',
    'mu\u0308ller.example.org',
    // A parser of URLs reads “plain.example” there.
    ...['plain.example/.attacker.example', 'plain.example#.attacker.example', 'pl%61in.example', 'ｐlain.example']
  ]
  for (const other of others) assert.equal(await joins(other), null, other)
})

test('G3: a change of address ends what came from the domain, and not what staff have set', async () => {
  const [one, two] = [fresh(), fresh()]
  const first = await anOrganisation(desk, { domains: [one] })
  const second = await anOrganisation(desk, { domains: [two] })
  const ada = await at(one)
  await typeCode(ada)
  const eve = await at(one)
  await desk.post('/api/admin/clients/update', admin, { id: eve.id, organisation_id: first.id })
  const move = (client: Person, email: string) =>
    desk.post('/api/account/profile/update', client, { email, current_password: client.password })

  await move(ada, `ada@${two}`)
  await move(eve, `eve@${two}`)
  const claimed = [await membership(ada), await membership(eve)]
  await typeCode({ ...ada, email: `ada@${two}` })
  await typeCode({ ...eve, email: `eve@${two}` })

  assert.deepEqual(claimed, [
    [null, null, null],
    [first.id, 'member', 'staff']
  ])
  assert.deepEqual(
    [await membership(ada), await membership(eve)],
    [
      [second.id, 'member', 'domain'],
      [first.id, 'member', 'staff']
    ]
  )
  await desk.post('/api/admin/clients/update', admin, { id: ada.id, email: `ada@${fresh()}` })
  assert.deepEqual(await membership(ada), [null, null, null])
})

test('G3: two clients at one public domain never meet', async () => {
  const { id } = await anOrganisation(desk)
  const refused = await desk.post('/api/admin/organisations/update', admin, { id, domains: ['gmail.com'] })
  const [ada, eve] = [await at('gmail.com'), await at('gmail.com')]

  await typeCode(ada)
  await typeCode(eve)

  assert.equal(refused.status, 400)
  assert.deepEqual(
    [await membership(ada), await membership(eve)],
    [
      [null, null, null],
      [null, null, null]
    ]
  )
})

test('G3: a part of the public suffix list, such as co.uk, is a domain of nobody; one below it is a domain', async () => {
  const { id } = await anOrganisation(desk)
  const domain = `${fresh().split('.')[0]}.co.uk`
  const update = (domains: string[]) => desk.post('/api/admin/organisations/update', admin, { id, domains })

  for (const suffix of ['co.uk', 'CO.UK', 'com.au', 'xn--55qx5d.cn', '公司.cn']) {
    const { status, body } = await update([domain, suffix])
    assert.deepEqual([status, body.reason, body.errors], [400, 'public_email_domain', ['domains']], suffix)
  }
  const kept = await update([domain])
  assert.deepEqual([kept.status, kept.data.organisation.domains], [200, [domain]])
})

test('G3: whom staff have taken out does not join again by the domain, until staff put them back', async () => {
  const [domain, other] = [fresh(), fresh()]
  const one = await anOrganisation(desk, { domains: [domain] })
  const two = await anOrganisation(desk, { domains: [other] })
  const ada = await at(domain)
  await typeCode(ada)
  const set = (organisation_id: number | null) =>
    desk.post('/api/admin/clients/update', admin, { id: ada.id, organisation_id })
  const prove = async () => {
    await desk.db.updateTable('clients').set({ is_email_verified: false }).where('id', '=', ada.id).execute()
    await typeCode(ada)
    return (await membership(ada))[0]
  }

  await set(null)
  const proven = await prove()
  const { data: joiners } = await desk.post('/api/admin/organisations/joiners', admin, { domains: [domain] })
  const added = await desk.post('/api/admin/organisations/update', admin, { id: one.id, add_people: 1 })
  assert.deepEqual([proven, joiners.total, added.data.organisation.people_count], [null, 0, 0])

  const merge = { id: one.id, into_id: two.id, confirm_name: one.name }
  assert.equal((await desk.post('/api/admin/organisations/merge', admin, merge)).status, 200)
  assert.equal(await prove(), null)

  await set(two.id)
  await desk.post('/api/admin/clients/update', admin, { id: ada.id, email: `ada.${domain.length}@${fresh()}` })
  assert.equal((await membership(ada))[0], two.id)
})

test('G3: whom staff have taken out of one organisation joins another by its domain', async () => {
  const [one, two] = [fresh(), fresh()]
  await anOrganisation(desk, { domains: [one] })
  const second = await anOrganisation(desk, { domains: [two] })
  const ada = await at(one)
  await typeCode(ada)
  await desk.post('/api/admin/clients/update', admin, { id: ada.id, organisation_id: null })

  const move = { email: `ada.${two}@${two}`, current_password: ada.password }
  await desk.post('/api/account/profile/update', ada, move)
  await typeCode({ ...ada, email: move.email })

  assert.deepEqual(await membership(ada), [second.id, 'member', 'domain'])
})

test('G3: adding a domain shows who would join, and adds them only if asked', async () => {
  const domain = fresh()
  const [proven, claimed] = [await at(domain, { is_email_verified: true }), await at(domain)]
  const elsewhere = await anOrganisation(desk)
  const other = await at(domain, {
    is_email_verified: true,
    organisation_id: elsewhere.id,
    organisation_role: 'member',
    organisation_joined_by: 'staff'
  })
  await at(`sub.${domain}`, { is_email_verified: true })

  const preview = await desk.post('/api/admin/organisations/joiners', admin, { domains: [domain] })
  const created = await desk.post('/api/admin/organisations/create', admin, { name: domain, domains: [domain] })
  const { id } = created.data.organisation
  const before = await membership(proven)
  const added = await desk.post('/api/admin/organisations/update', admin, { id, add_people: 1 })

  assert.deepEqual([preview.data.total, preview.data.people[0].id], [1, proven.id])
  assert.deepEqual([created.data.organisation.people_count, added.data.organisation.people_count], [0, 1])
  assert.deepEqual(before, [null, null, null])
  assert.deepEqual(await membership(proven), [id, 'member', 'domain'])
  assert.deepEqual([(await membership(claimed))[0], (await membership(other))[0]], [null, elsewhere.id])
})

test('G5: nobody joins an archived organisation, by domain or by staff, until it is taken back', async () => {
  const domain = fresh()
  const { id } = await anOrganisation(desk, { domains: [domain] })
  const [ada, eve] = [await at(domain), await at(domain)]
  const join = () => desk.post('/api/admin/clients/update', admin, { id: eve.id, organisation_id: id })

  const archived = await desk.post('/api/admin/organisations/archive', admin, { id })
  await typeCode(ada)
  const refused = await join()
  const closed = await membership(ada)
  await desk.post('/api/admin/organisations/unarchive', admin, { id })
  const joined = await join()

  assert.deepEqual(
    [archived.data.organisation.is_archived, closed, refused.status, refused.body.errors],
    [1, [null, null, null], 409, ['organisation_id']]
  )
  assert.equal(joined.status, 200)
})

test('an import sets the organisation, joins by proven domains, and refuses rows that name none', async () => {
  const domain = fresh()
  const [one, two] = [await anOrganisation(desk, { domains: [domain] }), await anOrganisation(desk)]
  const shut = await anOrganisation(desk, { is_archived: true })
  const rows = [
    { email: `a@${domain}`, is_email_verified: '1' },
    { email: `b@${domain}` },
    { email: `c@${domain}`, organisation_id: String(two.id), organisation_role: 'manager', is_email_verified: '1' },
    { email: `d@${domain}`, organisation_id: '987654' },
    { email: `e@${domain}`, organisation_id: String(shut.id) },
    { email: `f@${domain}`, organisation_role: 'manager' }
  ]
  const refused: number[] = []
  async function* table() {
    for (const [line, row] of rows.entries()) {
      const fields = Object.entries({ first_name: 'Ada', last_name: 'Lovelace', ...row })
      yield { line, fields: new Map(fields.map(([name, value]) => [name, [{ value, isText: true }]])) }
    }
  }

  const tally = await importClients(desk.services, table(), {
    sealFactor: () => '',
    refused: line => refused.push(line)
  })

  const stored = await desk.db
    .selectFrom('clients')
    .where('email', 'like', `%@${domain}`)
    .select(['email', 'organisation_id', 'organisation_role'])
    .orderBy('email')
    .execute()
  assert.deepEqual([tally.imported, refused], [3, [3, 4, 5]])
  assert.deepEqual(
    stored.map(row => [row.organisation_id, row.organisation_role]),
    [
      [one.id, 'member'],
      [null, null],
      [two.id, 'manager']
    ]
  )
})
