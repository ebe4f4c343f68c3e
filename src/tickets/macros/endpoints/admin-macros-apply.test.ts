import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aFile, form, limitTo, aTicket as openTicket, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 6 })
const [ada, admin] = [await aClient(desk, { is_email_verified: true }), await anAdmin(desk)]
const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const agent = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
for (const name of ['vip', 'calm']) await desk.post('/api/admin/tags/create', admin, { name })

const opened = async () => (await openTicket(desk, ada)).ticket_id as number
const apply = (by: Person, body: object) => desk.post('/api/admin/macros/apply', by, { send: 1, ...body })
const undo = (by: Person, id: number) => desk.post('/api/admin/tickets/undo', by, { id })

async function aMacro(given: object, by: Person = lead): Promise<number> {
  const made = await desk.post('/api/admin/macros/create', by, { name: 'VIP', is_shared: 1, ...given })
  assert.equal(made.status, 201, made.body.message)
  return made.data.macro.id
}

/** All of a ticket that a macro may change, and what was written. */
async function stateOf(id: number) {
  const { ticket, messages, notes, watchers } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const { status, priority, assignee, tags, snooze, department, version } = ticket
  return { status, priority, assignee, tags, snooze, department, version, messages: messages.length, notes, watchers }
}

test('M1 a macro does all or nothing, as the person, and bears its name in each event', async () => {
  const id = await opened()
  const actions = [{ set_priority: 'High' }, { add_tags: ['vip'] }, { assign: lead.id }, { note: 'VIP' }]
  const macro_id = await aMacro({ name: 'Gold', actions, reply_text: 'Dear {{client.first_name}}' })

  const done = await apply(lead, { id, macro_id })
  const { events } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data

  assert.equal(done.status, 200, done.body.message)
  assert.deepEqual(
    done.data.results.map(({ action, outcome, from, to }: Record<string, unknown>) => [action, outcome, from, to]),
    [
      ['set_priority', 'done', 'Medium', 'High'],
      ['add_tags', 'done', [], ['vip']],
      ['assign', 'done', null, lead.id],
      ['note', 'done', null, null]
    ]
  )
  assert.deepEqual([done.data.status, done.data.is_done, messages.at(-1).message], ['Answered', 1, 'Dear Ada'])
  const made = events.filter(({ kind }: { kind: string }) => kind !== 'ticket.created')
  assert.deepEqual(
    made.map(({ kind }: { kind: string }) => kind),
    ['updated', 'tagged', 'assigned', 'noted', 'replied'].map(kind => `ticket.${kind}`)
  )
  for (const event of made) {
    assert.deepEqual(
      [event.cause, event.actor_id],
      [{ kind: 'macro', id: macro_id, name: 'Gold', event_id: null, run_id: null }, lead.id]
    )
  }
  assert.equal(events[0].cause, null)
})

test('M1 what one action is refused with undoes the others', async () => {
  const gone = await aSupporter(desk, 'tickets.view_all')
  const id = await opened()
  const macro_id = await aMacro({
    actions: [{ set_priority: 'High' }, { note: 'x' }, { assign: gone.id }],
    reply_text: 'Hi'
  })
  await desk.db.updateTable('staff').where('id', '=', gone.id).set({ is_active: false }).execute()
  const before = [await stateOf(id), await timeline(desk, id)]

  const refused = await apply(lead, { id, macro_id })
  const listed = (await desk.post('/api/admin/macros/list', lead, {})).data.macros

  assert.deepEqual([refused.status, refused.body.reason], [400, 'unknown_assignee'])
  assert.deepEqual([await stateOf(id), await timeline(desk, id)], before)
  const { attention } = listed.find((macro: { id: number }) => macro.id === macro_id)
  assert.deepEqual(attention, [{ reason: 'staff_out_of_use', text: 'actions.2.assign: Grace Hopper is out of use' }])
})

test('M1 each missing permission is named before, and the macro is refused without them', async () => {
  const id = await opened()
  const macro_id = await aMacro({ actions: [{ set_status: 'Closed' }, { note: 'x' }] })
  const before = await stateOf(id)

  const { macros } = (await desk.post('/api/admin/macros/list', agent, {})).data
  const preview = await desk.post('/api/admin/macros/preview', agent, { id, macro_id })
  const refused = await apply(agent, { id, macro_id })

  const listed = macros.find((macro: { id: number }) => macro.id === macro_id)
  assert.deepEqual(listed.missing_permissions, ['tickets.edit_status'])
  assert.deepEqual([preview.data.macro.missing_permissions, preview.data.results], [['tickets.edit_status'], []])
  assert.deepEqual([refused.status, refused.body.reason], [403, 'forbidden'])
  assert.match(refused.body.message, /tickets\.edit_status/)
  assert.deepEqual(await stateOf(id), before)
})

test('M2 a macro is stopped by what stops a reply by hand: a newer version, an unseen message, a department out of sight, a ticket that is blocked', async () => {
  const [id, blocking] = [await opened(), await opened()]
  const macro_id = await aMacro({ actions: [{ set_status: 'Closed' }, { note: 'x' }], reply_text: 'Bye' })
  const silent = await aMacro({ actions: [{ set_status: 'Closed' }] })
  const { version, last } = await seen(id)
  await desk.post('/api/tickets/reply', ada, { id, message: 'One more thing' })
  const now = await seen(id)
  await desk.post('/api/admin/tickets/link', lead, { id: blocking, other_id: id, kind: 'blocks' })
  const before = await stateOf(id)
  const elsewhere = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
  await limitTo(desk, elsewhere.id, 4)

  const refusals = [
    await apply(lead, { id, macro_id, expected_version: version }),
    await apply(lead, { id, macro_id, expected_version: now.version, last_seen_message_id: last }),
    await apply(elsewhere, { id, macro_id }),
    await apply(lead, { id, macro_id }),
    await apply(lead, { id, macro_id: silent })
  ].map(({ status, body }) => [status, body.reason])

  assert.deepEqual(refusals, [
    [409, 'version_conflict'],
    [409, 'new_messages'],
    [404, 'ticket_not_found'],
    [409, 'ticket_blocked'],
    [409, 'ticket_blocked']
  ])
  assert.deepEqual(await stateOf(id), before)
})

async function seen(id: number) {
  const { ticket, last_message_id } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  return { version: ticket.version, last: last_message_id }
}

test('M3 a preview tells what would be done and writes nothing; without send neither does apply', async () => {
  const id = await opened()
  const macro_id = await aMacro({
    actions: [
      { set_status: 'Closed' },
      { add_tags: ['calm'] },
      { email_client: { subject: 'Soon', text: 'Hello' } },
      { snooze: { minutes: 5 } }
    ].slice(0, 3),
    reply_text: 'Dear {{client.first_name}}'
  })
  await desk.post('/api/admin/macros/preview', lead, { id, macro_id })
  const before = [await desk.rowCounts(), await stateOf(id)]

  const preview = await desk.post('/api/admin/macros/preview', lead, { id, macro_id })
  const unsent = await desk.post('/api/admin/macros/apply', lead, { id, macro_id })

  assert.deepEqual(
    preview.data.results.map(({ action, outcome, to }: Record<string, unknown>) => [action, outcome, to]),
    [
      ['add_tags', 'done', ['calm']],
      ['email_client', 'done', null],
      // The reply sets it.
      ['set_status', 'done', 'Closed']
    ]
  )
  assert.deepEqual(preview.data.reply, { text: 'Dear Ada', unset: [] })
  assert.deepEqual([unsent.data.is_done, unsent.data.results], [0, preview.data.results])
  assert.deepEqual([await desk.rowCounts(), await stateOf(id)], before)
})

test('M3 what the person made of the text is sent in its place, with their files; without_reply sends none', async () => {
  const [id, other] = [await opened(), await opened()]
  const macro_id = await aMacro({ actions: [{ set_status: 'In Progress' }], reply_text: 'Dear {{client.first_name}}' })

  const sent = await desk.post(
    '/api/admin/macros/apply',
    lead,
    form({ id, macro_id, send: 1, reply: 'My own words' }, aFile('manual.txt'))
  )
  const silent = await apply(lead, { id: other, macro_id, without_reply: 1 })
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data

  assert.equal(sent.status, 200, sent.body.message)
  assert.deepEqual([messages.at(-1).message, messages.at(-1).attachments.length], ['My own words', 1])
  assert.deepEqual([sent.data.status, silent.data.status, silent.data.message_id], ['In Progress', 'In Progress', null])
})

test('M4 what is not set takes its fallback, else it stops before sending', async () => {
  const id = await opened()
  const [stops, falls] = [
    await aMacro({ actions: [{ set_priority: 'High' }], reply_text: 'Dear {{organisation.name}}' }),
    await aMacro({ actions: [{ set_priority: 'High' }], reply_text: 'Dear {{organisation.name|customer}}' })
  ]
  const before = await stateOf(id)

  const preview = await desk.post('/api/admin/macros/preview', lead, { id, macro_id: stops })
  const refused = await apply(lead, { id, macro_id: stops })
  const between = await stateOf(id)
  const sent = await apply(lead, { id, macro_id: falls })
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data

  assert.deepEqual(preview.data.reply, { text: 'Dear ', unset: ['organisation.name'] })
  assert.deepEqual([refused.status, refused.body.reason], [400, 'placeholder_unset'])
  assert.match(refused.body.message, /organisation\.name/)
  assert.deepEqual(between, before)
  assert.deepEqual([sent.status, messages.at(-1).message], [200, 'Dear customer'])
})

test('M5 a macro is applied to many tickets, each done or failed, and undone as one on each', async () => {
  const [one, two, trashed] = [await opened(), await opened(), await opened()]
  await desk.post('/api/admin/tickets/snooze', lead, {
    id: one,
    until: new Date(Date.now() + 86_400_000).toISOString()
  })
  await desk.post('/api/admin/tickets/delete', admin, { id: trashed })
  const macro_id = await aMacro({
    actions: [
      { add_tags: ['vip'] },
      { set_priority: 'Low' },
      { add_tags: ['calm'] },
      { move_to: 4 },
      { assign: lead.id },
      { note: 'Moved' }
    ]
  })
  const visible = ({ version: _, notes: __, ...state }: Awaited<ReturnType<typeof stateOf>>) => state
  const before = [visible(await stateOf(one)), visible(await stateOf(two))]

  const bulk = await desk.post('/api/admin/tickets/bulk', lead, { ids: [one, trashed, two], action: 'macro', macro_id })
  const after = await stateOf(one)
  const undone = [await undo(lead, one), await undo(lead, two)]
  const again = await undo(lead, one)

  assert.deepEqual(bulk.data.done, [one, two])
  assert.deepEqual(
    bulk.data.failed.map(({ id, reason }: { id: number; reason: string }) => [id, reason]),
    [[trashed, 'ticket_not_found']]
  )
  assert.deepEqual(
    [after.priority, after.status, after.assignee.id, after.snooze],
    ['Low', 'In Progress', lead.id, null]
  )
  assert.deepEqual(
    undone.map(({ status }) => status),
    [200, 200],
    undone[0]!.body.message
  )
  assert.deepEqual([visible(await stateOf(one)), visible(await stateOf(two))], before)
  assert.deepEqual([again.status, again.body.reason], [409, 'nothing_to_undo'])
})

test('M5 bulk needs what the macro takes, and a macro that there is', async () => {
  const id = await opened()
  const macro_id = await aMacro({ actions: [{ set_priority: 'Low' }] })

  const refusals = [
    await desk.post('/api/admin/tickets/bulk', agent, { ids: [id], action: 'macro', macro_id }),
    await desk.post('/api/admin/tickets/bulk', lead, { ids: [id], action: 'macro', macro_id: 999_999 }),
    await desk.post('/api/admin/tickets/bulk', lead, { ids: [id], action: 'macro' })
  ].map(({ status }) => status)

  assert.deepEqual(refusals, [403, 404, 400])
})

test('M6 a reply of a macro is one of the person: it answers the client', async () => {
  const id = await opened()
  const macro_id = await aMacro({ reply_text: 'Hello' }, lead)

  await apply(lead, { id, macro_id })
  const [reply] = (await timeline(desk, id)).filter(([kind]) => kind === 'ticket.replied')
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id })

  assert.deepEqual(reply?.[2], { status: 'Answered', message_id: data.last_message_id })
  assert.equal(data.messages.at(-1).sender_id ?? lead.id, lead.id)
  assert.equal((await ticketRow(desk, id)).status, 'Answered')
})
