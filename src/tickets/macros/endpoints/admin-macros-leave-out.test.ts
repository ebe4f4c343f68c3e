import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket as openTicket, ticketRow } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 6 })
const [ada, admin] = [await aClient(desk, { is_email_verified: true }), await anAdmin(desk)]
const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const agent = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
for (const name of ['vip', 'calm']) await desk.post('/api/admin/tags/create', admin, { name })

const opened = async () => (await openTicket(desk, ada)).ticket_id as number
const apply = (by: Person, body: object) => desk.post('/api/admin/macros/apply', by, { send: 1, ...body })

async function aMacro(given: object, by: Person = lead): Promise<number> {
  const made = await desk.post('/api/admin/macros/create', by, { name: 'VIP', is_shared: 1, ...given })
  assert.equal(made.status, 201, made.body.message)
  return made.data.macro.id
}

async function stateOf(id: number) {
  const { ticket } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const { status, priority, tags } = ticket
  return [status, priority, tags.length]
}

test('M3 single actions are left out of a macro that is applied, previewed or waits with its reply', async () => {
  const actions = [{ set_priority: 'High' }, { add_tags: ['vip'] }, { set_status: 'Closed' }]
  const macro_id = await aMacro({ name: 'Most of it', actions, reply_text: 'Dear {{client.first_name}}' })
  const kinds = (results: { action: string }[]) => results.map(({ action }) => action)
  const id = await opened()

  const preview = await apply(lead, { id, macro_id, send: 0, without: ['add_tags'] })
  const done = await apply(lead, { id, macro_id, without: ['set_priority', 'set_status'] })
  const unknown = await apply(lead, { id, macro_id, without: ['explode'] })

  assert.deepEqual(kinds(preview.data.results), ['set_priority', 'set_status'])
  assert.deepEqual(kinds(done.data.results), ['add_tags'])
  assert.deepEqual(await stateOf(id), ['Answered', 'Medium', 1])
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['without']])

  const other = await opened()
  const waits = await apply(lead, { id: other, macro_id, without: ['set_priority'], undo: 1 })
  assert.equal(waits.data.is_done, 0)
  const sent = await desk.post('/api/admin/tickets/reply/send', lead, { id: other, message_id: waits.data.message_id })
  assert.equal(sent.status, 200, sent.body.message)
  assert.deepEqual(await stateOf(other), ['Closed', 'Medium', 1])
})

test('M1 the permissions of the actions that are left out are not needed', async () => {
  const macro_id = await aMacro({ name: 'Close it', actions: [{ set_status: 'Closed' }, { note: 'Seen' }] })
  const id = await opened()
  const refused = await apply(agent, { id, macro_id })
  const done = await apply(agent, { id, macro_id, without: ['set_status'] })
  assert.deepEqual([refused.status, done.status], [403, 200])
  assert.equal((await ticketRow(desk, id)).status, 'Open')
})

test('the list counts on how many tickets a macro was applied in thirty days, and tells in which departments it is offered', async () => {
  const made = await desk.post('/api/admin/departments/create', admin, { name: 'Workshop' })
  const { deptid } = made.data.department
  const macro_id = await aMacro({ name: 'To the workshop', actions: [{ note: 'Sent' }], deptids: [deptid, 1, 1] })
  const ids = [await opened(), await opened()]
  await desk.post('/api/admin/tickets/bulk', lead, { ids, action: 'macro', macro_id })
  await apply(lead, { id: await opened(), macro_id })
  await apply(lead, { id: await opened(), macro_id, send: 0 })
  await desk.db
    .insertInto('macro_uses')
    .values({ macro_id, at: new Date(Date.now() - 31 * 86_400_000) })
    .execute()

  const { macros } = (await desk.post('/api/admin/macros/list', lead, { search: 'workshop', deptid })).data
  const elsewhere = (await desk.post('/api/admin/macros/list', lead, { search: 'workshop', deptid: 2 })).data
  const unknown = await desk.post('/api/admin/macros/update', lead, { id: macro_id, deptids: [999] })
  const used = await desk.post('/api/admin/departments/delete', admin, { deptid })

  assert.equal(elsewhere.total, 0)
  assert.deepEqual([macros[0].uses_in_30_days, macros[0].deptids], [3, [1, deptid].toSorted()])
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['deptids']])
  assert.equal(used.status, 409)
  const nowhere = await desk.post('/api/admin/macros/update', lead, { id: macro_id, deptids: [] })
  assert.deepEqual([nowhere.data.macro.deptids, nowhere.data.macro.version], [[], 2])
})
