import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aTicket, auditedActions, limitTo, ticketRow, timeline } from '../../../../test/support/tickets.ts'
import { system } from '../../../core/actor.ts'
import { act } from '../../../core/acts/act.ts'

const desk = await bootDesk()
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

async function done(path: string, asker: Person, body: object = {}) {
  const reply = await desk.post(path, asker, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

const opened = async (given: object = {}) => (await aTicket(desk, ada, given)).ticket_id as number
const undo = (by: Person, id: number, body: object = {}) => desk.post('/api/admin/tickets/undo', by, { id, ...body })
const reasonOf = async (by: Person, id: number) => {
  const { status, body } = await undo(by, id)
  return [status, body.reason]
}
const aTag = async (name: string) => (await done('/api/admin/tags/create', admin, { name })).tag

/** A ticket without the fields that every change moves. */
async function stateOf(id: number) {
  const {
    version: _,
    updated_at: __,
    updated_at_iso: ___,
    ...state
  } = (await done('/api/admin/tickets/detail', admin, { id })).ticket
  return state
}

test('each kind of change is undone by who made it: by the same event the other way, audited, and said to be an undoing', async () => {
  const [grace, mary] = [
    await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status', 'tickets.reply'),
    await anAdmin(desk)
  ]
  const { name } = await aTag('undoable')
  const changes: [path: string, body: object, kind: string, back: object][] = [
    ['status', { status: 'Closed' }, 'ticket.status_changed', { status: 'Open' }],
    ['update', { priority: 'Critical' }, 'ticket.updated', { priority: 'Medium' }],
    ['update', { subject: 'Other' }, 'ticket.updated', { subject: 'The printer is on fire' }],
    ['update', { department_id: 5 }, 'ticket.updated', { department_id: 1 }],
    ['update', { department_id: 5, priority: 'Low' }, 'ticket.updated', { department_id: 1, priority: 'Medium' }],
    ['assign', { assigned_staff_id: mary.id }, 'ticket.assigned', { assigned_staff_id: null, status: 'Open' }],
    ['tags', { tags: [name] }, 'ticket.tagged', { tags: [] }]
  ]

  for (const [path, body, kind, back] of changes) {
    const id = await opened()
    const before = await stateOf(id)
    await done(`/api/admin/tickets/${path}`, grace, { id, ...body })

    const { status, data } = await undo(grace, id)

    assert.equal(status, 200, path)
    assert.deepEqual(await stateOf(id), before)
    assert.equal(data.ticket.id, id)
    const [, change, undoing] = await timeline(desk, id)
    assert.equal(change![0], kind)
    const [, , { undo_of, ...after }] = undoing as [string, object, { undo_of: number }]
    assert.deepEqual([undoing![0], undoing![1], after], [kind, change![2], { ...back, by: 'undo' }])
    assert.equal(await kindOfEvent(undo_of), kind)
    assert.deepEqual(await auditedActions(desk, id), [kind, kind])
  }
})

async function kindOfEvent(id: number): Promise<string | undefined> {
  const event = await desk.db.selectFrom('events').where('id', '=', id).select('kind').executeTakeFirst()
  return event?.kind
}

test('of the subject the audit log tells that it was changed back, not what it says', async () => {
  const id = await opened({ subject: 'Something private' })
  await done('/api/admin/tickets/update', admin, { id, subject: 'Other' })
  await undo(admin, id)

  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_id', '=', id)
    .selectAll()
    .orderBy('id')
    .execute()

  assert.deepEqual(rows.at(-1)!.after, { subject_changed: true, by: 'undo' })
  assert.doesNotMatch(JSON.stringify(rows), /private/)
})

test('a change is undone once, and an undoing not at all, also of two who ask at once', async () => {
  const races = await bootDesk({ connections: 6 })
  const [client, own] = [await aClient(races), await anAdmin(races)]
  const { ticket_id: id } = await aTicket(races, client)
  await races.post('/api/admin/tickets/status', own, { id, status: 'Closed' })

  const replies = await Promise.all(Array.from({ length: 6 }, () => races.post('/api/admin/tickets/undo', own, { id })))

  const statuses = replies.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409])
  assert.equal(replies.find(({ status }) => status === 409)!.body.reason, 'nothing_to_undo')
  assert.equal((await ticketRow(races, id)).status, 'Open')
  assert.equal((await timeline(races, id)).length, 3)
})

test('only the last change, only one’s own, and only for 30 seconds', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const id = await opened()
  const set = (by: Person, body: object) => done('/api/admin/tickets/update', by, { id, ...body })

  assert.deepEqual(await reasonOf(grace, id), [409, 'nothing_to_undo'])
  await set(grace, { priority: 'High' })
  assert.deepEqual(await reasonOf(admin, id), [409, 'nothing_to_undo'])
  await set(admin, { subject: 'Mine' })
  assert.deepEqual(await reasonOf(grace, id), [409, 'changed_since'])
  assert.equal((await undo(admin, id)).status, 200)
  assert.deepEqual(await reasonOf(grace, id), [409, 'changed_since'])
  await set(grace, { priority: 'Low' })
  await set(grace, { priority: 'Critical' })
  assert.equal((await undo(grace, id)).data.ticket.priority, 'Low')
  assert.deepEqual(await reasonOf(grace, id), [409, 'nothing_to_undo'])
  await set(grace, { priority: 'High' })
  desk.clock.turn(29)
  assert.equal((await undo(grace, id)).status, 200)
  await set(grace, { priority: 'High' })
  desk.clock.turn(31)
  assert.deepEqual(await reasonOf(grace, id), [409, 'nothing_to_undo'])
  assert.equal((await ticketRow(desk, id)).priority, 'High')
})

test('whatever changes the ticket ends it, whoever did it; notes, those who watch or follow it and e-mails on their way do not', async () => {
  const tag = await aTag('passing')
  const since: [string, () => Promise<number>, (id: number) => Promise<unknown>][] = [
    ['a reply of the client', opened, id => done(`/api/tickets/${id}/reply`, ada, { message: 'More' })],
    ['an own answer', opened, id => done('/api/admin/tickets/reply', admin, { id, message: 'Done' })],
    ['the client’s closing', opened, id => done(`/api/tickets/${id}/status`, ada, { status: 'Closed' })],
    ['merging', opened, async id => done('/api/admin/tickets/merge', admin, { id: await opened(), into_id: id })],
    [
      'the trash and back',
      opened,
      async id => {
        await done('/api/admin/tickets/delete', admin, { id })
        await done('/api/admin/tickets/restore', admin, { id })
      }
    ],
    [
      'a change behind the timeline',
      opened,
      id => desk.db.updateTable('tickets').set({ status: 'Closed' }).where('id', '=', id).execute()
    ]
  ]
  for (const [what, open, change] of since) {
    const id = await open()
    await done('/api/admin/tickets/status', admin, { id, status: 'In Progress' })
    await change(id)
    assert.deepEqual(await reasonOf(admin, id), [409, 'changed_since'], what)
  }

  const id = await opened()
  await done('/api/admin/tickets/tags', admin, { id, tags: [tag.id] })
  await done('/api/admin/tickets/note', admin, { id, note: 'Hm' })
  await done('/api/admin/tickets/watch', admin, { id })
  const { followers } = await done('/api/admin/tickets/followers/add', admin, { id, email: 'bob@example.com' })
  await done('/api/admin/tickets/followers/remove', admin, { id, follower_id: followers[0].id })
  await act(desk.services, system, async act =>
    act.happened({ kind: 'ticket.delivery_changed', ticket: id, after: { message_ids: [1], delivery: 'sent' } })
  )
  assert.deepEqual((await undo(admin, id)).data.ticket.tags, [])

  const answered = await opened()
  await done('/api/admin/tickets/reply', admin, { id: answered, message: 'Done', status: 'Closed' })
  assert.deepEqual(await reasonOf(admin, answered), [409, 'nothing_to_undo'])
  assert.equal((await ticketRow(desk, answered)).status, 'Closed')
})

test('what is not to be had any more is not brought back, and the ticket stays as it is', async () => {
  const [gone, limited] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.reply')]
  const tag = await aTag('short-lived')
  const { deptid } = (await done('/api/admin/departments/create', admin, { name: 'Passing' })).department
  const cases: [body: object, path: string, change: object, meanwhile: () => Promise<unknown>][] = [
    [
      { assigned_staff_id: gone.id },
      'assign',
      { assigned_staff_id: null },
      () => done('/api/admin/staff/update', admin, { id: gone.id, is_active: 0 })
    ],
    [{ assigned_staff_id: limited.id }, 'assign', { assigned_staff_id: null }, () => limitTo(desk, limited.id, 4)],
    [{ tags: [tag.id] }, 'tags', { tags: [] }, () => done('/api/admin/tags/delete', admin, { id: tag.id })],
    [
      { department_id: deptid },
      'update',
      { department_id: 1 },
      () => done('/api/admin/departments/update', admin, { id: deptid, is_active: 0 })
    ]
  ]

  for (const [given, path, change, meanwhile] of cases) {
    const id = await opened()
    const { department_id, tags, assigned_staff_id } = given as Record<string, unknown>
    if (department_id) await done('/api/admin/tickets/update', admin, { id, department_id })
    if (tags) await done('/api/admin/tickets/tags', admin, { id, tags })
    if (assigned_staff_id) await done('/api/admin/tickets/assign', admin, { id, assigned_staff_id })
    await done(`/api/admin/tickets/${path}`, admin, { id, ...change })
    await meanwhile()
    const before = [await stateOf(id), (await timeline(desk, id)).length]

    assert.deepEqual(await reasonOf(admin, id), [409, 'undo_impossible'], path)
    assert.deepEqual([await stateOf(id), (await timeline(desk, id)).length], before)
  }
})

test('moved to where its assignee does not see it and back, a ticket is theirs again', async () => {
  const limited = await aSupporter(desk, 'tickets.reply')
  await limitTo(desk, limited.id, 1)
  const id = await opened()
  await done('/api/admin/tickets/assign', admin, { id, assigned_staff_id: limited.id })
  const moved = await done('/api/admin/tickets/update', admin, { id, department_id: 5 })

  const { data } = await undo(admin, id)

  assert.equal(moved.ticket.assignee, null)
  assert.deepEqual([data.ticket.department.deptid, data.ticket.assignee.id], [1, limited.id])
})

test('each undoes what they may do: agents what they took and gave back, also where that is out of their sight', async () => {
  const [agent, editor, other] = [
    await aSupporter(desk, 'tickets.reply'),
    await aSupporter(desk, 'tickets.edit_status'),
    await aSupporter(desk, 'tickets.reply')
  ]
  const taken = await opened()
  await done('/api/admin/tickets/assign', agent, { id: taken, assigned_staff_id: agent.id })
  assert.deepEqual([(await undo(agent, taken)).status, (await ticketRow(desk, taken)).status], [200, 'Open'])
  await done('/api/admin/tickets/assign', agent, { id: taken, assigned_staff_id: agent.id })
  desk.clock.turn(60)
  await done('/api/admin/tickets/assign', agent, { id: taken, assigned_staff_id: null })
  assert.equal((await undo(agent, taken)).data.ticket.assignee.id, agent.id)

  const handed = await opened()
  await done('/api/admin/tickets/assign', admin, { id: handed, assigned_staff_id: editor.id })
  await done('/api/admin/tickets/assign', editor, { id: handed, assigned_staff_id: other.id })
  assert.equal((await undo(editor, handed)).data.ticket.assignee.id, editor.id)

  // An unassigned or somebody else's ticket: staff who neither see nor have changed it get a 404.
  assert.deepEqual(await reasonOf(other, handed), [404, 'ticket_not_found'])
  assert.deepEqual(await reasonOf(other, await opened()), [404, 'ticket_not_found'])
  assert.deepEqual(await reasonOf(other, 999_999_999), [404, 'ticket_not_found'])
  assert.equal((await undo(ada, taken)).status, 403)
})

test('who may not make a change any more does not undo it either, and whose sight has ended has no ticket', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
  const [first, second] = [await opened(), await opened()]
  await done('/api/admin/tickets/status', grace, { id: first, status: 'Closed' })
  await done('/api/admin/tickets/status', grace, { id: second, status: 'Closed' })

  await limitTo(desk, grace.id, 5)
  const unseen = await reasonOf(grace, first)
  await desk.db.deleteFrom('department_members').where('staff_id', '=', grace.id).execute()
  await done('/api/admin/staff/permissions', admin, {
    id: grace.id,
    permissions: ['tickets.view_all', 'tickets.reply']
  })
  const forbidden = await undo(grace, second)

  assert.deepEqual(unseen, [404, 'ticket_not_found'])
  assert.equal(forbidden.status, 403)
  assert.deepEqual(
    [(await ticketRow(desk, first)).status, (await ticketRow(desk, second)).status],
    ['Closed', 'Closed']
  )
})

test('whose own change was followed by one that took the ticket out of their sight is told that there is no ticket', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  await limitTo(desk, grace.id, 1)
  const id = await opened()
  await done('/api/admin/tickets/update', grace, { id, priority: 'High' })
  await done('/api/admin/tickets/update', admin, { id, department_id: 5 })

  assert.deepEqual(await reasonOf(grace, id), [404, 'ticket_not_found'])
  assert.equal((await ticketRow(desk, id)).priority, 'High')
})

test('what was done to many tickets is undone ticket by ticket, and a version that is not current is refused', async () => {
  const ids = [await opened(), await opened()]
  await done('/api/admin/tickets/bulk', admin, { ids, action: 'status', status: 'Closed' })

  const stale = await undo(admin, ids[0]!, { expected_version: 1 })
  await undo(admin, ids[0]!)

  assert.deepEqual([stale.status, stale.data], [409, { current_version: 2 }])
  assert.deepEqual(
    [(await ticketRow(desk, ids[0]!)).status, (await ticketRow(desk, ids[1]!)).status],
    ['Open', 'Closed']
  )
})
