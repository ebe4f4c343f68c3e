import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { anOrganisation, aPersonOf } from '../../../test/support/organisations.ts'
import { anAdmin } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { batchSize, continueMerge, resumeMerges } from './merge-organisations.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)

const ask = (verb: string, body: object = {}) => desk.post(`/api/admin/organisations/${verb}`, admin, body)

test('G5: a merge moves people with their roles, domains and tickets, which do not look changed', async () => {
  const [from, into] = [await anOrganisation(desk, { domains: ['from.example'] }), await anOrganisation(desk)]
  const [manager, member] = [await aPersonOf(desk, into, 'manager'), await aPersonOf(desk, from)]
  const { ticket_id: id } = await aTicket(desk, member)
  const ticket = () =>
    desk.db
      .selectFrom('tickets')
      .where('id', '=', id)
      .select(['version', 'updated_at', 'organisation_id'])
      .executeTakeFirstOrThrow()
  const before = await ticket()
  const unseen = await desk.post('/api/tickets/detail', manager, { id })

  const unconfirmed = await ask('merge', { id: from.id, into_id: into.id, confirm_name: into.name })
  const merged = await ask('merge', { id: from.id, into_id: into.id, confirm_name: from.name })

  assert.deepEqual([unconfirmed.status, unconfirmed.body.errors], [400, ['confirm_name']])
  const { organisation } = merged.data
  assert.deepEqual(
    [organisation.id, organisation.domains, organisation.people_count, organisation.open_ticket_count],
    [into.id, ['from.example'], 2, 1]
  )
  assert.equal((await ask('detail', { id: from.id })).status, 404)
  assert.deepEqual(await ticket(), { ...before, organisation_id: into.id })
  assert.deepEqual([unseen.status, (await desk.post('/api/tickets/detail', manager, { id })).status], [404, 200])
  const told = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'organisation.merged')
    .select(['after', 'actor_id'])
    .execute()
  assert.deepEqual(told, [{ after: { into_id: into.id, people_moved: 1, tickets_moved: 1 }, actor_id: admin.id }])
})

test('G5: a large merge goes on in jobs, batch by batch, and again after one was lost; nobody joins meanwhile', async () => {
  const [from, into] = [await anOrganisation(desk), await anOrganisation(desk)]
  const member = await aPersonOf(desk, from)
  await sql`insert into tickets (client_id, department_id, subject, organisation_id)
    select ${member.id}, 1, 'Bulk', ${from.id} from generate_series(1, ${2 * batchSize + 100})`.execute(desk.db)

  const begun = await ask('merge', { id: from.id, into_id: into.id, confirm_name: from.name })
  const again = await ask('merge', { id: from.id, into_id: into.id, confirm_name: from.name })
  const renamed = await ask('update', { id: from.id, name: 'Other' })
  const joining = await desk.post('/api/admin/clients/update', admin, { id: member.id, organisation_id: from.id })
  const shown = (await ask('detail', { id: from.id })).data.organisation.merging
  const other = await anOrganisation(desk)
  const further = await ask('merge', { id: into.id, into_id: other.id, confirm_name: into.name })
  await sql`delete from pgboss.job where name = 'merge-organisation'`.execute(desk.db)
  desk.clock.turn(3 * 3_600)
  await resumeMerges(desk.services)
  await desk.deliver()
  desk.clock.turn(-3 * 3_600)
  await continueMerge(desk.services, from.id)

  assert.equal(begun.status, 200)
  assert.deepEqual(
    [again.body.reason, renamed.body.reason, joining.status],
    ['organisation_is_merging', 'organisation_is_merging', 409]
  )
  assert.deepEqual(shown, { into_id: into.id, into_name: into.name, people_moved: 1, tickets_moved: batchSize })
  assert.equal(further.status, 200)
  const left = await desk.db
    .selectFrom('tickets')
    .where('client_id', '=', member.id)
    .select('organisation_id')
    .distinct()
    .execute()
  assert.deepEqual(left, [{ organisation_id: other.id }])
  assert.deepEqual(
    [(await ask('detail', { id: from.id })).status, (await ask('detail', { id: into.id })).status],
    [404, 404]
  )
})

test('G5: two organisations that are merged into each other at once: one merge succeeds, and nobody is lost', async () => {
  const [one, two] = [await anOrganisation(desk), await anOrganisation(desk)]
  const people = [await aPersonOf(desk, one), await aPersonOf(desk, two)]

  const replies = await Promise.all([
    ask('merge', { id: one.id, into_id: two.id, confirm_name: one.name }),
    ask('merge', { id: two.id, into_id: one.id, confirm_name: two.name })
  ])

  const rows = await desk.db
    .selectFrom('clients')
    .where(
      'id',
      'in',
      people.map(({ id }) => id)
    )
    .select('organisation_id')
    .distinct()
    .execute()
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assert.equal(rows.length, 1)
  assert.ok([one.id, two.id].includes(rows[0]!.organisation_id!))
})

test('G5: the personal view of a colleague that names the one that goes means the one that stays', async () => {
  const [from, into] = [await anOrganisation(desk), await anOrganisation(desk)]
  const colleague = await anAdmin(desk)
  const conditions = { all: [{ any: [{ field: 'organisation_id', op: 'in', value: [from.id, into.id] }] }] }
  const view = { name: 'Theirs', query: { conditions } }
  const made = await desk.post('/api/admin/views/create', colleague, view)
  assert.equal(made.status, 201, made.body.message)

  const merged = await ask('merge', { id: from.id, into_id: into.id, confirm_name: from.name })

  assert.equal(merged.status, 200, merged.body.message)
  const { views } = (await desk.post('/api/admin/views/list', colleague, {})).data
  const { query } = views.find(({ name }: { name: string }) => name === 'Theirs')
  assert.deepEqual(query.conditions.all[0].any[0].value, [into.id])
  // What names the one that stays is found by it.
  assert.equal((await desk.post('/api/admin/organisations/delete', colleague, { id: into.id })).status, 409)
})

test('G3, G5: whoever belongs to the organisation that stays is not kept out of it by a merge', async () => {
  const [first, second] = [await anOrganisation(desk), await anOrganisation(desk, { domains: ['stays.example'] })]
  const [inside, outside] = [await aPersonOf(desk, first), await aPersonOf(desk, first)]
  for (const { id } of [inside, outside])
    await desk.post('/api/admin/clients/update', admin, { id, organisation_id: null })
  await desk.post('/api/admin/clients/update', admin, { id: inside.id, organisation_id: second.id })

  await ask('merge', { id: first.id, into_id: second.id, confirm_name: first.name })

  const kept = await desk.db
    .selectFrom('organisation_exits')
    .where('organisation_id', '=', second.id)
    .select('client_id')
    .execute()
  assert.deepEqual(kept, [{ client_id: outside.id }])
})
