import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { assign, aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 5 })
const grace = await aSupporter(desk, 'tickets.reply')
const editor = await aSupporter(desk, 'tickets.edit_status')
const both = await aSupporter(desk, 'tickets.reply', 'tickets.edit_status')

test('everybody finds their own canned replies and the shared ones, and nobody those of others', async () => {
  const own = await create(grace, { title: 'Found by title', text: 'Off and on.' })
  const shared = await create(editor, { title: 'B', text: 'Here it is FOUND BY its text', is_shared: 1 })
  await create(both, { title: 'Found by nobody else', text: 'Mine.' })
  await create(grace, { title: '100% other', text: 'Nothing.' })
  const list = (body: object) => desk.post('/api/admin/canned-replies/list', grace, body)

  const found = await list({ search: 'found by' })
  const literal = await list({ search: '0%' })
  const second = await list({ search: 'found', page: 2, limit: 1 })
  const admins = await desk.post('/api/admin/canned-replies', await anAdmin(desk), { search: 'found by' })

  assert.deepEqual(found.data.canned_replies, [shared, own])
  assert.deepEqual([found.data.count, found.data.total, found.data.page, found.data.limit], [2, 2, 1, 100])
  assert.deepEqual([own.is_shared, own.staff_id, shared.is_shared, shared.staff_id], [0, grace.id, 1, null])
  assert.deepEqual([literal.data.total, literal.data.canned_replies[0].title], [1, '100% other'])
  assert.deepEqual([second.data.total, second.data.canned_replies], [2, [own]])
  assert.deepEqual(admins.data.canned_replies, [shared])
})

test('personal ones are for those who answer, shared ones for those who edit the status', async () => {
  const reply = { title: 'Refused', text: 'x' }
  const own = await create(grace, { title: 'Own', text: 'x' })
  const shared = await create(editor, { title: 'Shared', text: 'x', is_shared: 1 })
  const before = await desk.rowCounts()

  const statuses = [
    await desk.post('/api/admin/canned-replies/create', grace, { ...reply, is_shared: 1 }),
    await desk.post('/api/admin/canned-replies/create', editor, reply),
    await desk.post('/api/admin/canned-replies/update', grace, { id: shared.id, title: 'y' }),
    await desk.post('/api/admin/canned-replies/update', grace, { id: own.id, is_shared: 1 }),
    await desk.post('/api/admin/canned-replies/update', editor, { id: shared.id, is_shared: 0 }),
    await desk.post('/api/admin/canned-replies/delete', grace, { id: shared.id }),
    await desk.post('/api/admin/canned-replies/update', both, { id: own.id, title: 'y' }),
    await desk.post('/api/admin/canned-replies/delete', await anAdmin(desk), { id: own.id }),
    await desk.post('/api/admin/canned-replies/render', both, { id: own.id, ticket_id: 1 })
  ].map(({ status }) => status)

  assert.deepEqual(statuses, [403, 403, 403, 403, 403, 403, 404, 404, 404])
  assert.deepEqual(
    { ...(await desk.rowCounts()), staff: 0, sessions: 0, refresh_tokens: 0 },
    {
      ...before,
      staff: 0,
      sessions: 0,
      refresh_tokens: 0
    }
  )
})

test('one’s own is shared, and a shared one made one’s own, by who may do both', async () => {
  const { id } = await create(both, { title: 'To and fro', text: 'x' })

  const shared = await desk.post(`/api/admin/canned-replies/${id}/update`, both, { is_shared: 1 })
  const own = await desk.post('/api/admin/canned-replies/update', both, { id, is_shared: 0 }, 'form')

  assert.deepEqual([shared.data.canned_reply.staff_id, own.data.canned_reply.staff_id], [null, both.id])
  assert.deepEqual((await events(id)).slice(1), [
    ['canned_reply.updated', { title: 'To and fro', is_shared: false }, { title: 'To and fro', is_shared: true }],
    ['canned_reply.updated', { title: 'To and fro', is_shared: true }, { title: 'To and fro', is_shared: false }]
  ])
})

test('the history tells who changed which canned reply, and never what it says', async () => {
  const { id } = await create(grace, { title: 'Old', text: 'The secret words.' })

  const changed = await desk.post('/api/admin/canned-replies/update', grace, { id, title: 'New', text: 'Other words.' })
  const same = await desk.post('/api/admin/canned-replies/update', grace, { id, title: 'New' })
  const deleted = await desk.post(`/api/admin/canned-replies/${id}/delete`, grace)
  const again = await desk.post('/api/admin/canned-replies/delete', grace, { id })

  assert.deepEqual([changed.data.canned_reply.title, changed.data.canned_reply.text], ['New', 'Other words.'])
  assert.deepEqual(same.data.canned_reply, changed.data.canned_reply)
  assert.deepEqual([deleted.data, again.status], [{ deleted_id: id }, 404])
  assert.deepEqual(await events(id), [
    ['canned_reply.created', null, { title: 'Old', is_shared: false }],
    [
      'canned_reply.updated',
      { title: 'Old', is_shared: false },
      { title: 'New', is_shared: false, text_changed: true }
    ],
    ['canned_reply.deleted', { title: 'New', is_shared: false }, null]
  ])
})

test('of two who change what they have before them one is told the version that the other made', async () => {
  const { id, version: expected_version } = await create(both, { title: 'Shared', text: 'x', is_shared: 1 })

  const replies = await Promise.all(
    [editor, both].map(person =>
      desk.post('/api/admin/canned-replies/update', person, { id, title: person.email, expected_version })
    )
  )
  const stale = await desk.post('/api/admin/canned-replies/delete', editor, { id, expected_version })

  const [changed, refused] = replies.toSorted((one, other) => one.status - other.status)
  assert.deepEqual([changed!.status, refused!.status, stale.status], [200, 409, 409])
  const { version } = changed!.data.canned_reply
  assert.ok(version > expected_version)
  assert.equal(refused!.body.data.current_version, version)
  assert.deepEqual(refused!.body.errors, ['expected_version'])
  assert.equal((await events(id)).length, 2)
})

test('a placeholder that is not known is refused by its name, and so are braces that nobody closed', async () => {
  const { id } = await create(grace, { title: 'Kept', text: 'x' })
  const before = await desk.rowCounts()

  for (const [text, named] of [
    ['Dear {{client.phone}}, {{ ticket.Number }}', '{{client.phone}}, {{ ticket.Number }}'],
    ['{{constructor}} {{__proto__}} {{constructor}}', '{{constructor}}, {{__proto__}}'],
    ['{{}} {{{client.email}}}', '{{}}, {{'],
    ['Dear {{client.first_name, all\nis well }}', '{{client.first_name, all'],
    [`{{${'x'.repeat(500)}}}`, `{{${'x'.repeat(58)}…`]
  ]) {
    const created = await desk.post('/api/admin/canned-replies/create', grace, { title: 'x', text })
    const updated = await desk.post('/api/admin/canned-replies/update', grace, { id, text })

    for (const { status, body } of [created, updated]) {
      assert.deepEqual([status, body.errors], [400, ['text']], text)
      assert.ok(
        body.message.startsWith(`Unknown placeholders: ${named}. Known are {{client.first_name}}, `),
        body.message
      )
    }
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('filled for a ticket, a canned reply says who writes to whom about what, to the letter', async () => {
  const client = await aClient(desk, { first_name: '{{staff.first_name}}', last_name: "$& $1 O'Neill" })
  const ticket = await aTicket(desk, client, { department_id: 4, subject: 'Ünïcode & <b>' })
  await assign(desk, ticket.ticket_id, grace.id)
  const { id } = await create(editor, {
    is_shared: 1,
    title: 'All',
    text: [
      '{{client.first_name}}|{{ client.last_name }}|{{client.email}}|{{ticket.number}}|{{ticket.subject}}',
      '|{{department.name}}|{{staff.first_name}}|{{staff.last_name}}|{ x } }}\n'
    ].join('')
  })

  const byId = await desk.post('/api/admin/canned-replies/render', grace, { id, ticket_id: ticket.ticket_id })
  const byNumber = await desk.post(`/api/admin/canned-replies/${id}/render`, grace, {
    ticket_id: ticket.ticket_number
  })

  assert.deepEqual(byId.data, {
    id,
    ticket_id: ticket.ticket_id,
    text: `{{staff.first_name}}|$& $1 O'Neill|${client.email}|${ticket.ticket_number}|Ünïcode & <b>|Billing Department|Grace|Hopper|{ x } }}\n`
  })
  assert.deepEqual(byNumber.data, byId.data)
})

test('a canned reply tells nothing of a ticket that its reader does not see', async () => {
  const ticket = await aTicket(desk, await aClient(desk))
  const { id } = await create(editor, { title: 'Subject', text: '{{ticket.subject}}', is_shared: 1 })
  const [all, limited] = [
    await aSupporter(desk, 'tickets.reply', 'tickets.view_all'),
    await aSupporter(desk, 'tickets.reply', 'tickets.view_all')
  ]
  await limitTo(desk, limited.id, 5)
  const render = async (person: Person) =>
    (await desk.post('/api/admin/canned-replies/render', person, { id, ticket_id: ticket.ticket_id })).status

  const statuses = [await render(all), await render(grace), await render(limited)]
  await desk.db
    .updateTable('tickets')
    .set({ trashed_at: desk.clock.now() })
    .where('id', '=', ticket.ticket_id)
    .execute()

  assert.deepEqual([...statuses, await render(all)], [200, 404, 404, 404])
})

async function create(person: Person, fields: object) {
  const reply = await desk.post('/api/admin/canned-replies/create', person, fields)
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.canned_reply
}

async function events(id: number): Promise<unknown[][]> {
  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'canned_reply')
    .where('target_id', '=', id)
    .selectAll()
    .orderBy('id')
    .execute()
  return rows.map(({ action, before, after }) => [action, before, after])
}
