import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { assign, aTicket, limitTo, listedIds, ticketRow } from '../../../test/support/tickets.ts'
import { until } from '../../../test/support/until.ts'
import { keepDoingDueWork } from '../../core/clock/due-work.ts'
import { dueSnoozes } from './due-snoozes.ts'

const desk = await bootDesk({ connections: 8 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const rights = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status'] as const
const [grace, mary] = [await aSupporter(desk, ...rights), await aSupporter(desk, ...rights)]
const minute = 60

const opened = async () => (await aTicket(desk, ada)).ticket_id as number

async function done(path: string, by: Person, body: object) {
  const reply = await desk.post(path, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

/** Snoozed by Grace for a minute, and assigned to this person. */
async function aSnoozedTicket(assignee?: Person, body: object = {}) {
  const id = await opened()
  if (assignee) await assign(desk, id, assignee.id)
  const until = new Date(desk.clock.now().getTime() + minute * 1_000).toISOString()
  await done('/api/admin/tickets/snooze', grace, { id, until, ...body })
  return id
}

const wakeAll = async (of: Desk = desk) => {
  let woken = 0
  for (let done = -1; done !== 0; woken += done) done = await dueSnoozes(of.services).runDue(of.clock.now())
  return woken
}

const eventsOf = (of: Desk, kind: string) =>
  of.db.selectFrom('events').where('kind', '=', kind).selectAll().orderBy('id').execute()

/** What has been sent since the last look, once the delay is over. */
async function emails() {
  desk.clock.turn(60)
  await desk.deliver()
  return desk.outbox.emails.splice(0)
}

test('Z3 at its time a ticket wakes: the system says why, its row stays as it was, and nothing happens before', async () => {
  const id = await aSnoozedTicket(mary, { reason: 'Waiting for the part' })
  const before = await ticketRow(desk, id)
  desk.clock.turn(minute - 5)
  const early = await wakeAll()
  const next = await dueSnoozes(desk.services).nextDueAt()
  desk.clock.turn(10)

  const woken = await wakeAll()

  assert.deepEqual([early, woken, await dueSnoozes(desk.services).nextDueAt()], [0, 1, null])
  const event = (await eventsOf(desk, 'ticket.woken')).find(({ ticket_id }) => ticket_id === id)!
  assert.deepEqual([event.actor_type, event.after, event.is_audited], ['system', { cause: 'time' }, false])
  const { until, staff_id, reason } = event.before as { until: string; staff_id: number; reason: string }
  assert.deepEqual([until, staff_id, reason], [next!.toISOString(), grace.id, 'Waiting for the part'])
  assert.deepEqual(await ticketRow(desk, id), before)
})

test('Z3 it comes back on top of the list of its assignee, as unread, until they have read it', async () => {
  const id = await aSnoozedTicket(mary)
  const [message] = await desk.db.selectFrom('ticket_messages').where('ticket_id', '=', id).select('id').execute()
  const read = (by: Person) => done('/api/admin/tickets/read', by, { id, last_message_id: message!.id })
  for (const each of [grace, mary]) await read(each)
  const newer = [await opened(), await opened()]
  for (const each of newer) await assign(desk, each, mary.id)
  const mine = { assigned_staff_id: mary.id, limit: 2 }
  desk.clock.turn(minute)
  await wakeAll()

  const { tickets, next_cursor } = await done('/api/admin/tickets/list', mary, mine)
  const rest = await listedIds(desk, mary, { ...mine, limit: 100, cursor: next_cursor })
  const oldestFirst = await listedIds(desk, mary, { ...mine, direction: 'asc', limit: 100 })
  await read(grace)
  const [stays] = (await done('/api/admin/tickets/list', mary, mine)).tickets
  await read(mary)
  const after = (await done('/api/admin/tickets/list', mary, { ...mine, limit: 100 })).tickets

  assert.deepEqual([tickets[0].id, tickets[1].id], [id, newer[1]])
  assert.ok(rest.includes(newer[0]!) && !rest.includes(id))
  assert.equal(oldestFirst.at(-1), id)
  assert.deepEqual([tickets[0].unread, tickets[0].snooze, stays.id], [1, null, id])
  assert.ok(Date.parse(tickets[0].woken_at) > 0 && stays.woken_at !== null)
  const own = after.find((ticket: { id: number }) => ticket.id === id)
  assert.deepEqual([own.woken_at, own.unread], [null, 0])
  assert.ok(after.findIndex((ticket: { id: number }) => ticket.id === newer[0]) < after.indexOf(own))
})

test('Z3 the assignee gets an e-mail with the reason; if nobody has it, its watchers and whoever snoozed it, if they see it', async () => {
  await emails()
  const [assigned, free] = [await aSnoozedTicket(mary, { reason: 'The part <4417>' }), await aSnoozedTicket()]
  const [watcher, blind] = [await aSupporter(desk, ...rights), await aSupporter(desk, ...rights)]
  await limitTo(desk, blind.id, 5)
  for (const ticket_id of [assigned, free]) {
    for (const { id } of [watcher, blind]) {
      await desk.db.insertInto('ticket_watchers').values({ ticket_id, staff_id: id }).execute()
    }
  }
  await emails()
  desk.clock.turn(minute)
  await wakeAll()

  const sent = await emails()

  const numbers = [(await ticketRow(desk, assigned)).ticket_number, (await ticketRow(desk, free)).ticket_number]
  const told = sent.map(({ to, subject }) => [to, subject.slice(1, 11)])
  assert.deepEqual(
    told.toSorted(),
    [
      [grace.email, numbers[1]],
      [mary.email, numbers[0]],
      [watcher.email, numbers[1]]
    ].toSorted()
  )
  const [withReason, without] = [
    sent.find(({ to }) => to === mary.email)!,
    sent.find(({ to }) => to === watcher.email)!
  ]
  assert.match(withReason.text, /is back: its snooze is over\. The reason was: The\s+part <4417>/)
  assert.match(withReason.html, /The part &#60;4417&#62;/)
  assert.match(without.text, /is back: its snooze is over\.\n/)
})

test('Z3 a ticket that waits for its client alone does not wake by itself, and one in the trash wakes without a word', async () => {
  await emails()
  const endless = await aSnoozedTicket(mary, { until: undefined, until_reply: 1 })
  const trashed = await aSnoozedTicket(mary)
  await done('/api/admin/tickets/delete', admin, { id: trashed })
  desk.clock.turn(minute)
  await wakeAll()

  const sent = await emails()

  assert.deepEqual(
    sent.filter(({ to }) => to !== ada.email),
    []
  )
  assert.notEqual((await done('/api/admin/tickets/detail', grace, { id: endless })).ticket.snooze, null)
  await done('/api/admin/tickets/restore', admin, { id: trashed })
  assert.equal((await done('/api/admin/tickets/detail', grace, { id: trashed })).ticket.snooze, null)
})

test('Z4 a ticket that is back is snoozed again, or closed, and is then no longer back', async () => {
  const [again, closed] = [await aSnoozedTicket(), await aSnoozedTicket()]
  desk.clock.turn(minute)
  await wakeAll()
  await done('/api/admin/tickets/snooze', grace, { id: again, until_reply: 1 })
  await done('/api/admin/tickets/status', grace, { id: closed, status: 'Closed' })

  const rows = await desk.db.selectFrom('snoozes').where('ticket_id', 'in', [again, closed]).selectAll().execute()

  assert.deepEqual(
    rows.map(({ ticket_id, woken_at }) => [ticket_id, woken_at]),
    [[again, null]]
  )
  await done('/api/admin/tickets/unsnooze', grace, { id: again })
})

test('Z3 ten thousand wake at nine in the morning: 500 a transaction, the longest due first, and of two processes each ticket once', async () => {
  const own = await bootDesk({ connections: 4 })
  const client = await aClient(own)
  const until = new Date(own.clock.now().getTime() - 60_000)
  await sql`
    with made as (
      insert into tickets (client_id, department_id, subject) select ${client.id}, 1, 'Snoozed' from generate_series(1, 10000) returning id)
    insert into snoozes (ticket_id, until, until_reply, kind, reason, created_at)
    select id, ${until}::timestamptz - make_interval(secs => id % 7), false, 'own', '', now() from made`.execute(own.db)
  const first = await dueSnoozes(own.services).runDue(own.clock.now())
  const batch = await eventsOf(own, 'ticket.woken')

  const processes = await Promise.all([wakeAll(own), wakeAll(own)])

  assert.deepEqual([first, processes[0] + processes[1]], [500, 9_500])
  const events = await eventsOf(own, 'ticket.woken')
  assert.equal(new Set(events.map(({ ticket_id }) => ticket_id)).size, 10_000)
  assert.equal(events.length, 10_000)
  const dues = batch.map(({ before }) => (before as { until: string }).until)
  assert.deepEqual(dues, dues.toSorted())
  const { rows } = await sql<{ left: number }>`select count(*) as left from snoozes where woken_at is null`.execute(
    own.db
  )
  assert.equal(rows[0]!.left, 0)
})

test('Z3 a process that dies between waking and telling has done neither, and the next one does both', async () => {
  const own = await bootDesk()
  const [client, staff] = [await aClient(own), await anAdmin(own)]
  const { ticket_id: id } = await aTicket(own, client)
  await own.post('/api/admin/tickets/snooze', staff, {
    id,
    until: new Date(own.clock.now().getTime() + 1_000).toISOString()
  })
  own.clock.turn(2)
  // The rows are written, and the transaction ends before its events are.
  await sql`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`.execute(
    own.db
  )
  await sql`create trigger cut_off before insert on events for each row execute function cut_off()`.execute(own.db)
  await assert.rejects(dueSnoozes(own.services).runDue(own.clock.now()), /cut off/)
  await sql`drop trigger cut_off on events`.execute(own.db)
  const asleep = await own.post('/api/admin/tickets/detail', staff, { id })

  assert.equal(await wakeAll(own), 1)

  assert.notEqual(asleep.data.ticket.snooze, null)
  assert.equal((await eventsOf(own, 'ticket.woken')).length, 1)
})

test('Z6 a time that passed while the service stood still wakes its ticket at the start', async () => {
  const id = await aSnoozedTicket()
  desk.clock.turn(10 * minute)
  const stop = new AbortController()

  const waking = keepDoingDueWork(desk.services, [dueSnoozes(desk.services)], stop.signal)

  await until(async () => (await done('/api/admin/tickets/detail', grace, { id })).ticket.snooze === null)
  stop.abort()
  await waking
})
