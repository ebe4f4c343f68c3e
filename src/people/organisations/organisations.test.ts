import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { anOrganisation, aPersonOf, belong } from '../../../test/support/organisations.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { addUpOrganisationTickets } from './ticket-counts.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
let serial = 0

const ask = (verb: string, body: object = {}) => desk.post(`/api/admin/organisations/${verb}`, admin, body)
const fresh = () => `Weingut ${++serial}`

async function rowOf({ id }: { id: number }) {
  return await desk.db
    .selectFrom('clients')
    .where('id', '=', id)
    .select(['organisation_id', 'organisation_role', 'organisation_joined_by', 'company_name', 'version'])
    .executeTakeFirstOrThrow()
}

test('an organisation is created with its domains in punycode, changed in part, and shown with its counts', async () => {
  const name = 'Weingut Brückner & Söhne KG'
  const created = await ask('create', {
    name,
    domains: ['Brueckner.example', 'brückner.example', 'brueckner.example'],
    note: ''
  })
  const { id } = created.data.organisation
  const ada = await aPersonOf(desk, { id })
  await aTicket(desk, ada)
  const { ticket_id: closed } = await aTicket(desk, ada)
  await desk.post('/api/tickets/status', ada, { id: closed, status: 'Closed' })

  const updated = await ask('update', { id, note: 'Ask Jonas', managers_follow: 1, expected_version: 1 })
  const { data } = await ask('detail', { id })
  const all = await ask('detail', { id, tickets: 'all', limit: 1, tickets_page: 2 })

  assert.deepEqual(
    [
      created.status,
      created.data.organisation.domains,
      created.data.organisation.people_count,
      created.data.organisation.note
    ],
    [201, ['brueckner.example', 'xn--brckner-o2a.example'], 0, '']
  )
  assert.deepEqual(
    [updated.data.organisation.name, updated.data.organisation.note, updated.data.organisation.managers_follow],
    [name, 'Ask Jonas', 1]
  )
  assert.equal(updated.data.organisation.version, 2)
  assert.deepEqual(
    [data.organisation.people_count, data.organisation.open_ticket_count, data.people_total, data.tickets_total],
    [1, 1, 1, 1]
  )
  assert.deepEqual(
    [data.people[0].id, data.people[0].organisation_role, data.tickets.length, data.tickets[0].client.id],
    [ada.id, 'member', 1, ada.id]
  )
  assert.deepEqual(
    [all.data.tickets_total, all.data.tickets.length, all.data.tickets[0].id],
    [2, 1, data.tickets[0].id]
  )
})

test('the list is searched by a part of the name or domain, and holds archived ones only if asked', async () => {
  const one = await anOrganisation(desk, { name: 'Zeppelin 100%', domains: ['zeppelin.example'] })
  const two = await anOrganisation(desk, { name: 'Zeppelin Air', is_archived: true })
  const ids = async (body: object) => (await ask('list', body)).data.organisations.map(({ id }: { id: number }) => id)

  assert.deepEqual(await ids({ search: 'zepp' }), [one.id])
  assert.deepEqual(await ids({ search: 'PELIN.exa' }), [one.id])
  assert.deepEqual(await ids({ search: '100%' }), [one.id])
  assert.deepEqual(await ids({ search: '1_0' }), [])
  assert.deepEqual(await ids({ search: 'zepp', archived: 1 }), [two.id])
})

test('bad input names its field, and nothing is written', async () => {
  const taken = await anOrganisation(desk, { name: 'Taken', domains: ['taken.example'] })
  const { id } = await anOrganisation(desk)
  const before = await desk.rowCounts()
  const refusals: [string, object, number, string, string[]][] = [
    ['create', {}, 400, 'missing_fields', ['name']],
    ['create', { name: 'TAKEN' }, 409, 'organisation_exists', ['name']],
    ['create', { name: fresh(), domains: ['TAKEN.example'] }, 409, 'domain_taken', ['domains']],
    ['create', { name: fresh(), domains: ['gmail.com'] }, 400, 'public_email_domain', ['domains']],
    ['create', { name: fresh(), domains: ['Web.DE', 'x.example'] }, 400, 'public_email_domain', ['domains']],
    ['create', { name: fresh(), domains: ['posteo.de'] }, 400, 'public_email_domain', ['domains']],
    ['create', { name: fresh(), domains: ['no domain'] }, 400, 'invalid_fields', ['domains']],
    ['create', { name: fresh(), domains: ['localhost'] }, 400, 'invalid_fields', ['domains']],
    ['create', { name: fresh(), domains: ['a@b.example'] }, 400, 'invalid_fields', ['domains']],
    ['create', { name: fresh(), domains: ['firm.example/support'] }, 400, 'invalid_fields', ['domains']],
    ['create', { name: fresh(), domains: ['firm.example?x'] }, 400, 'invalid_fields', ['domains']],
    [
      'create',
      { name: fresh(), domains: Array.from({ length: 101 }, (_, at) => `d${at}.example`) },
      400,
      'invalid_fields',
      ['domains']
    ],
    ['update', { id, name: 'taken' }, 409, 'organisation_exists', ['name']],
    ['update', { id, domains: ['taken.example'] }, 409, 'domain_taken', ['domains']],
    ['update', { id, name: 'New', expected_version: 7 }, 409, 'version_conflict', ['expected_version']],
    ['update', { id: 987_654 }, 404, 'organisation_not_found', []],
    ['detail', { id: 987_654 }, 404, 'organisation_not_found', []],
    ['merge', { id, into_id: id, confirm_name: 'x' }, 400, 'name_not_confirmed', ['confirm_name']],
    ['merge', { id: taken.id, into_id: taken.id, confirm_name: 'Taken' }, 400, 'invalid_fields', ['into_id']],
    ['merge', { id: taken.id, into_id: 987_654, confirm_name: 'Taken' }, 400, 'unknown_organisation', ['into_id']]
  ]

  for (const [verb, body, status, reason, errors] of refusals) {
    const reply = await ask(verb, body)
    assert.deepEqual(
      [reply.status, reply.body.reason, reply.body.errors ?? []],
      [status, reason, errors],
      JSON.stringify(body)
    )
  }

  assert.deepEqual(await desk.rowCounts(), before)
})

test('only admins see organisations and decide who belongs to one', async () => {
  const { id } = await anOrganisation(desk)
  const editor = await aSupporter(desk, 'clients.edit', 'clients.create', 'clients.view')
  const ada = await aClient(desk)

  const replies = [
    await desk.post('/api/admin/organisations/list', editor),
    await desk.post('/api/admin/organisations/detail', editor, { id }),
    await desk.post('/api/admin/clients/update', editor, { id: ada.id, organisation_id: id }),
    await desk.post('/api/admin/clients/update', editor, { id: ada.id, organisation_role: 'manager' }),
    await desk.post('/api/admin/clients/create', editor, {
      ...{ first_name: 'Eve', last_name: 'Moe', email: 'eve@moe.example' },
      organisation_id: id
    })
  ]

  assert.deepEqual(
    replies.map(reply => reply.status),
    [403, 403, 403, 403, 403]
  )
  assert.equal((await rowOf(ada)).organisation_id, null)
})

test('G1: a client belongs to one organisation at most, and the company that they have typed stays theirs', async () => {
  const [one, two] = [await anOrganisation(desk), await anOrganisation(desk)]
  const ada = await aClient(desk, { company_name: 'Engines' })
  const change = (body: object) => desk.post('/api/admin/clients/update', admin, { id: ada.id, ...body })

  const joined = await change({ organisation_id: one.id, organisation_role: 'manager' })
  const moved = await change({ organisation_id: two.id })
  const promoted = await change({ organisation_role: 'manager' })
  const named = await change({ first_name: 'Augusta' })
  const left = await change({ organisation_id: null })
  const alone = await change({ organisation_role: 'manager' })
  const unknown = await change({ organisation_id: 987_654 })

  const states = [joined, moved, promoted, named, left].map(({ data: { client } }) => [
    client.organisation?.id,
    client.organisation_role
  ])
  assert.deepEqual(states, [
    [one.id, 'manager'],
    [two.id, 'member'],
    [two.id, 'manager'],
    [two.id, 'manager'],
    [undefined, null]
  ])
  assert.deepEqual([alone.status, alone.body.errors], [400, ['organisation_role']])
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['organisation_id']])
  assert.equal((await rowOf(ada)).company_name, 'Engines')
  const told = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'client.organisation_changed')
    .where('target_id', '=', ada.id)
    .select(['after', 'actor_id'])
    .orderBy('id')
    .execute()
  assert.equal(told.length, 4)
  assert.deepEqual(told[0], {
    after: { organisation_id: one.id, organisation_role: 'manager', by: 'staff' },
    actor_id: admin.id
  })
})

test('the organisation stands beside each client that the desk shows, and filters the list of tickets', async () => {
  const organisation = await anOrganisation(desk)
  const ada = await aPersonOf(desk, organisation, 'member', { first_name: 'Besideme' })
  const { ticket_id: id } = await aTicket(desk, ada)
  await aTicket(desk, await aClient(desk))
  const invited = await desk.post('/api/admin/clients/create', admin, {
    ...{ first_name: 'Eve', last_name: 'Moe', email: 'eve@moe.example' },
    ...{ organisation_id: organisation.id, organisation_role: 'manager' }
  })

  const shown = [
    (await desk.post('/api/admin/clients/list', admin, { search: 'besideme' })).data.clients[0],
    (await desk.post('/api/admin/clients/picker', admin, { search: 'besideme' })).data.clients[0],
    (await desk.post('/api/admin/clients/detail', admin, { id: ada.id })).data.client,
    (await desk.post('/api/admin/tickets/detail', admin, { id })).data.ticket.client,
    (await desk.post('/api/admin/tickets/list', admin, { client_id: ada.id })).data.tickets[0].client,
    invited.data.client
  ]
  const listed = await desk.post('/api/admin/tickets/list', admin, { organisation_id: organisation.id })

  for (const client of shown) assert.deepEqual(client.organisation, organisation)
  assert.equal(invited.data.client.organisation_role, 'manager')
  assert.deepEqual([listed.data.total, listed.data.tickets[0].id], [1, id])
})

test('an organisation is deleted only without people and tickets; with the right version', async () => {
  const [empty, used, opened] = [
    await anOrganisation(desk, { domains: ['gone.example'] }),
    await anOrganisation(desk),
    await anOrganisation(desk)
  ]
  await aPersonOf(desk, used)
  const left = await aPersonOf(desk, opened)
  await aTicket(desk, left)
  await belong(desk, left, undefined)

  const replies = [
    await ask('delete', { id: empty.id, expected_version: 2 }),
    await ask('delete', { id: empty.id, expected_version: 1 }),
    await ask('delete', { id: empty.id }),
    await ask('delete', { id: used.id }),
    await ask('delete', { id: opened.id })
  ]

  assert.deepEqual(
    replies.map(reply => reply.body.reason ?? reply.status),
    ['version_conflict', 200, 'organisation_not_found', 'organisation_in_use', 'organisation_in_use']
  )
})

test('an organisation that a shared view names is neither deleted nor merged; the answer names the view', async () => {
  const [one, two] = [await anOrganisation(desk), await anOrganisation(desk)]
  const view = { name: 'Of one', query: { organisation_id: one.id }, is_shared: 1 }
  const made = await desk.post('/api/admin/views/create', admin, view)
  assert.equal(made.status, 201, made.body.message)

  const replies = [
    await ask('delete', { id: one.id }),
    await ask('merge', { id: one.id, into_id: two.id, confirm_name: one.name })
  ]

  for (const { status, body } of replies) {
    assert.deepEqual([status, body.reason, body.data.uses[0].name], [409, 'in_use', 'Of one'])
  }
})

test('the kept number of tickets follows opening, trash, deletion and merges, before and after it is added up', async () => {
  const [one, two] = [await anOrganisation(desk), await anOrganisation(desk)]
  const manager = await aPersonOf(desk, one, 'manager')
  const total = async () => (await desk.post('/api/tickets/list', manager, { scope: 'organisation' })).data.total
  const ids = []
  for (let count = 0; count < 4; count++) ids.push((await aTicket(desk, manager)).ticket_id)
  const counts = [await total()]
  await desk.post('/api/admin/tickets/delete', admin, { id: ids[0] })
  counts.push(await total())
  await addUpOrganisationTickets(desk.db)
  counts.push(await total())
  await desk.post('/api/admin/tickets/restore', admin, { id: ids[0] })
  await desk.db.deleteFrom('tickets').where('id', '=', ids[1]).execute()
  await desk.post('/api/tickets/reply', manager, { id: ids[2], message: 'Still.' })
  counts.push(await total())
  await ask('merge', { id: one.id, into_id: two.id, confirm_name: one.name })
  counts.push(await total())
  await addUpOrganisationTickets(desk.db)
  counts.push(await total())

  assert.deepEqual(counts, [4, 3, 3, 3, 3, 3])
})
