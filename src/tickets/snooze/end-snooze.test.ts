import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { untilLockWait } from '../../../test/support/lock-waits.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { system } from '../../core/actor.ts'
import { replyToTicket } from '../threads/reply-to-ticket.ts'

const desk = await bootDesk({ connections: 8 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const [grace, mary] = [
  await aSupporter(desk, 'tickets.view_all', 'tickets.reply'),
  await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
]
const day = 86_400

const after = (seconds: number) => new Date(desk.clock.now().getTime() + seconds * 1_000).toISOString()
const opened = async (given: object = {}) => (await aTicket(desk, ada, given)).ticket_id as number
const snooze = (by: Person, id: number, body: object = { until: after(day) }) =>
  desk.post('/api/admin/tickets/snooze', by, { id, ...body })

async function done(path: string, by: Person, body: object) {
  const reply = await desk.post(path, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

async function aSnoozedTicket(body: object = {}) {
  const id = await opened()
  const { status, body: answer } = await snooze(grace, id, { until: after(day), ...body })
  assert.equal(status, 200, answer.message)
  return id
}

const snoozeOf = async (id: number) => (await done('/api/admin/tickets/detail', admin, { id })).ticket.snooze

/** What became of its snooze, as its timeline tells it: kind and cause. */
async function fate(id: number) {
  const events = await desk.db.selectFrom('events').where('ticket_id', '=', id).selectAll().orderBy('id').execute()
  return events
    .filter(({ kind }) => ['ticket.snoozed', 'ticket.woken'].includes(kind))
    .map(({ kind, after }) => (kind === 'ticket.woken' ? (after as { cause: string }).cause : 'snoozed'))
}

test('Z2 a message of the client wakes it in the same statement, by the API, by e-mail and whoever carries it', async () => {
  const [byApi, byMail] = [await aSnoozedTicket(), await aSnoozedTicket({ until: undefined, until_reply: 1 })]
  const origin = { ip: '127.0.0.1', requestId: 'mail' }
  const author = { population: 'client', id: ada.id, firstName: 'Ada', lastName: 'Lovelace' } as const

  await done('/api/tickets/reply', ada, { id: byApi, message: 'Any news?' })
  await replyToTicket(desk.services, system, origin, byMail, { message: 'Any news?', files: [], author })

  for (const id of [byApi, byMail]) {
    assert.equal(await snoozeOf(id), null)
    assert.deepEqual(await fate(id), ['snoozed', 'client'])
    const events = await desk.db.selectFrom('events').where('ticket_id', '=', id).selectAll().orderBy('id').execute()
    const [woken, replied] = events.slice(-2)
    assert.deepEqual([woken!.kind, replied!.kind], ['ticket.woken', 'ticket.replied'])
    assert.deepEqual([woken!.actor_type, woken!.actor_id, woken!.is_audited], ['client', ada.id, false])
    assert.equal((woken!.before as { staff_id: number }).staff_id, grace.id)
  }
})

test('Z2 a message that waited while the ticket was being snoozed wakes it all the same', async () => {
  const id = await opened()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const snoozing = desk.db.transaction().execute(async db => {
    await db.selectFrom('tickets').where('id', '=', id).select('id').forNoKeyUpdate().execute()
    const row = { ticket_id: id, until_reply: true, kind: 'own', reason: '', created_at: new Date() } as const
    await db
      .insertInto('snoozes')
      .values({ ...row, until: null, staff_id: grace.id })
      .execute()
    locked()
    await mayCommit
  })
  await isLocked
  const writing = done('/api/tickets/reply', ada, { id, message: 'Any news?' })
  await untilLockWait(desk)
  commit()
  await Promise.all([snoozing, writing])

  assert.equal(await snoozeOf(id), null)
})

test('Z2 a note that mentions a colleague wakes it, and an assignment to somebody; other notes, and giving it back, do not', async () => {
  const [noted, mentioned, assigned] = [await aSnoozedTicket(), await aSnoozedTicket(), await aSnoozedTicket()]
  await desk.db
    .updateTable('staff')
    .set({ first_name: 'Mary', last_name: 'Somerville' })
    .where('id', '=', mary.id)
    .execute()

  for (const note of ['Still waiting.', 'Ask support@example.com or @nobody.at.all.', `I, @${grace.email}, wait.`]) {
    await done('/api/admin/tickets/note', grace, { id: noted, note })
  }
  await done('/api/admin/tickets/note', grace, { id: mentioned, note: 'What do you say, @mary.somerville?' })
  await done('/api/admin/tickets/assign', mary, { id: assigned, assigned_staff_id: grace.id })
  await snooze(grace, assigned)
  await done('/api/admin/tickets/assign', mary, { id: assigned, assigned_staff_id: null })

  assert.deepEqual(await fate(noted), ['snoozed'])
  assert.deepEqual(await fate(mentioned), ['snoozed', 'mention'])
  assert.deepEqual(await fate(assigned), ['snoozed', 'assignment', 'snoozed'])
})

test('Z2 a reply of staff leaves it snoozed', async () => {
  const id = await aSnoozedTicket()

  await done('/api/admin/tickets/reply', admin, { id, message: 'We are on it.' })
  await done('/api/tickets/reply', admin, { id, message: 'Still on it.' })

  assert.deepEqual(await fate(id), ['snoozed'])
  assert.ok(await snoozeOf(id))
})

test('Z4 closing ends the snooze, whoever closes and by whatever; a closed ticket is not snoozed', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => aSnoozedTicket({ reason: 'A secret reason' })))
  const [byStaff, byClient, byReply, byAgent, inBulk] = ids as [number, number, number, number, number]

  await done('/api/admin/tickets/status', mary, { id: byStaff, status: 'Closed' })
  await done('/api/tickets/status', ada, { id: byClient, status: 'Closed' })
  await done('/api/admin/tickets/reply', admin, { id: byReply, message: 'Done.', status: 'Closed' })
  await done('/api/tickets/status', admin, { id: byAgent, status: 'Closed' })
  await done('/api/admin/tickets/bulk', mary, { ids: [inBulk], action: 'status', status: 'Closed' })

  for (const id of ids) {
    assert.deepEqual(await fate(id), ['snoozed', 'closed'])
    assert.equal(await snoozeOf(id), null)
    const refused = await snooze(grace, id)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'snooze_refused'])
  }
  const audited = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'ticket')
    .where('target_id', 'in', ids)
    .where('action', 'in', ['ticket.snoozed', 'ticket.woken'])
    .selectAll()
    .execute()
  assert.equal(audited.filter(({ action }) => action === 'ticket.woken').length, 4)
  assert.doesNotMatch(JSON.stringify(audited), /secret reason/)
})

test('Z4 merging ends the snooze of both tickets', async () => {
  const [source, target] = [await aSnoozedTicket(), await aSnoozedTicket()]

  await done('/api/admin/tickets/merge', mary, { id: source, into_id: target })

  for (const id of [source, target]) assert.deepEqual(await fate(id), ['snoozed', 'merged'])
  assert.equal(await snoozeOf(target), null)
})
