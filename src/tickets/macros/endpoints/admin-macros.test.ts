import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import { aWebhook, localReceivers } from '../../../../test/support/webhooks.ts'

const desk = await bootDesk({ connections: 4, config: localReceivers })
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.reply')
const lead = await aSupporter(desk, 'tickets.reply', 'tickets.edit_status')
const post = (verb: string, by: Person, body: object) => desk.post(`/api/admin/macros/${verb}`, by, body)

async function created(by: Person, given: object) {
  const made = await post('create', by, { name: 'VIP', ...given })
  assert.equal(made.status, 201, made.body.message)
  return made.data.macro
}

async function aTag(name: string): Promise<number> {
  return (await desk.post('/api/admin/tags/create', admin, { name })).data.tag.id
}

const actionsOf = async (id: number) =>
  (await post('list', lead, {})).data.macros.find((macro: { id: number }) => macro.id === id).actions

test('M6 whoever answers makes personal macros, whoever edits the status shared ones, and nobody sees those of others', async () => {
  const own = await created(grace, { actions: [{ set_status: 'Closed' }] })
  const shared = await created(lead, { reply_text: 'Hello', is_shared: 1 })

  const refused = [
    await post('create', grace, { name: 'x', reply_text: 'y', is_shared: 1 }),
    await post('update', grace, { id: shared.id, name: 'y' }),
    await post('update', grace, { id: own.id, is_shared: 1 }),
    await post('delete', grace, { id: shared.id }),
    await post('update', lead, { id: own.id, name: 'y' }),
    await post('apply', lead, { id: 1, macro_id: own.id, send: 1 })
  ].map(({ status }) => status)
  const seen = (await post('list', lead, {})).data.macros.map(({ id }: { id: number }) => id)

  assert.deepEqual(refused, [403, 403, 403, 403, 404, 404])
  assert.deepEqual([seen.includes(own.id), seen.includes(shared.id)], [false, true])
  assert.deepEqual([own.is_shared, own.staff_id, own.missing_permissions], [0, grace.id, ['tickets.edit_status']])
})

test('tags are kept by id: a renamed one goes along, a merged one becomes its target, and one that is used is not deleted', async () => {
  const [fire, smoke, other] = [await aTag('fire'), await aTag('smoke'), await aTag('water')]
  const macro = await created(lead, { actions: [{ add_tags: ['Fire', 'smoke'] }], is_shared: 1 })

  await desk.post('/api/admin/tags/update', admin, { id: fire, name: 'blaze' })
  const renamed = await actionsOf(macro.id)
  const deleted = await desk.post('/api/admin/tags/delete', admin, { id: smoke })
  await desk.post('/api/admin/tags/merge', admin, { id: smoke, into_id: fire, target_id: fire })
  const merged = await actionsOf(macro.id)
  const free = await desk.post('/api/admin/tags/delete', admin, { id: other })

  assert.deepEqual(renamed, [{ add_tags: ['blaze', 'smoke'] }])
  assert.deepEqual([deleted.status, deleted.body.reason], [409, 'in_use'])
  assert.deepEqual(deleted.data.uses, [{ kind: 'macro', id: macro.id, name: 'VIP', where: 'actions.0.add_tags' }])
  assert.deepEqual(merged, [{ add_tags: ['blaze'] }])
  assert.equal(free.status, 200)
})

test('what does not exist is refused by its place, and a macro that neither says nor does anything', async () => {
  const cases: [object, string[]][] = [
    [{ actions: [{ add_tags: ['none such'] }] }, ['actions.0.add_tags']],
    [{ actions: [{ note: 'x' }, { assign: 999_999 }] }, ['actions.1.assign']],
    [{ actions: [{ move_to: 999_999 }] }, ['actions.0.move_to']],
    [{ actions: [{ snooze: { minutes: 5, calendar_id: 999_999 } }] }, ['actions.0.snooze']],
    [{ actions: [{ webhook: 999_999 }] }, ['actions.0.webhook']],
    [{ actions: [{ note: '{{nobody.knows}}' }] }, ['actions.0.note']],
    [{ reply_text: '{{nobody.knows}}' }, ['reply_text']],
    [{ actions: [] }, ['actions', 'reply_text']],
    [{ actions: Array.from({ length: 11 }, () => ({ note: 'x' })) }, ['actions']]
  ]
  for (const [given, errors] of cases) {
    const refused = await post('create', admin, { name: 'x', is_shared: 1, ...given })
    assert.deepEqual([refused.status, refused.body.errors], [400, errors])
  }
})

test('only admins let a macro call a webhook, which is not deleted while one does', async () => {
  const webhook = await aWebhook(desk, admin, { url: 'http://127.0.0.1:9/hook' })
  const actions = [{ webhook: webhook.id }]
  const macro = await created(admin, { actions, is_shared: 1 })

  const refused = await post('create', lead, { name: 'x', actions })
  const renamed = await post('update', lead, { id: macro.id, name: 'Call', actions })
  const deleted = await desk.post('/api/admin/webhooks/delete', admin, { id: webhook.id })
  await post('delete', lead, { id: macro.id })
  const then = await desk.post('/api/admin/webhooks/delete', admin, { id: webhook.id })

  assert.deepEqual([refused.status, renamed.status, deleted.status, then.status], [403, 200, 409, 200])
})

test('changes are partial, guarded by the version, and audited with before and after but without texts', async () => {
  const macro = await created(lead, { actions: [{ note: 'secret words' }, { set_priority: 'High' }], is_shared: 1 })

  const changed = await post('update', lead, { id: macro.id, name: 'Gold', expected_version: 1 })
  const stale = await post('update', lead, { id: macro.id, name: 'Silver', expected_version: 1 })
  const without = await post('update', lead, { id: macro.id, actions: [], reply_text: 'Hello' })
  const empty = await post('update', lead, { id: macro.id, reply_text: null })
  await post('delete', lead, { id: macro.id })
  const log = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'macro')
    .where('target_id', '=', macro.id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()

  assert.deepEqual(
    [changed.data.macro.name, changed.data.macro.version, changed.data.macro.actions],
    ['Gold', 2, macro.actions]
  )
  assert.deepEqual([stale.status, without.status, empty.status], [409, 200, 400])
  const actions = ['note "…"', 'set_priority "High"']
  assert.deepEqual(log, [
    { action: 'macro.created', before: null, after: { name: 'VIP', is_shared: true, actions } },
    {
      action: 'macro.updated',
      before: { name: 'VIP', is_shared: true, actions },
      after: { name: 'Gold', is_shared: true, actions }
    },
    {
      action: 'macro.updated',
      before: { name: 'Gold', is_shared: true, actions },
      after: { name: 'Gold', is_shared: true, actions: [], text_changed: true }
    },
    { action: 'macro.deleted', before: { name: 'Gold', is_shared: true, actions: [] }, after: null }
  ])
})

test('a canned reply is a macro without actions, and one with actions is none', async () => {
  const reply = await desk.post('/api/admin/canned-replies/create', lead, { title: 'Hi', text: 'Hello', is_shared: 1 })
  const { id } = reply.data.canned_reply
  const ticket = (await aTicket(desk, await aClient(desk))).ticket_id
  await desk.post('/api/admin/tickets/assign', admin, { id: ticket, assigned_staff_id: lead.id })

  const applied = await post('apply', lead, { id: ticket, macro_id: id, send: 1 })
  await post('update', lead, { id, actions: [{ set_priority: 'Low' }] })
  const then = await desk.post('/api/admin/canned-replies/render', lead, { id, ticket_id: ticket })
  const { canned_replies } = (await desk.post('/api/admin/canned-replies/list', lead, {})).data

  assert.equal(applied.status, 200, applied.body.message)
  assert.deepEqual([then.status, then.body.reason], [404, 'canned_reply_not_found'])
  assert.ok(!canned_replies.some((each: { id: number }) => each.id === id))
})
