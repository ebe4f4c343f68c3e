import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket, limitTo, listedIds } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

async function done(path: string, asker: Person, body: object) {
  const reply = await desk.post(path, asker, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

/** The row of a ticket in the list. */
async function rowOf(id: number, asker: Person = admin, body: object = {}) {
  const { tickets } = await done('/api/admin/tickets/list', asker, { client_id: ada.id, limit: 100, ...body })
  return tickets.find((ticket: { id: number }) => ticket.id === id)
}

async function opened(given: object = {}): Promise<number> {
  return (await aTicket(desk, ada, given)).ticket_id
}

const says = (id: number, message: string) => done(`/api/tickets/${id}/reply`, ada, { message })
const answers = (id: number, message: string) => done('/api/admin/tickets/reply', admin, { id, message })
const notes = (id: number, note: string, by: Person = admin) => done('/api/admin/tickets/note', by, { id, note })

test('a row tells who wrote last and how it begins, on one line, and nothing of a note', async () => {
  const id = await opened({ message: '  The printer\r\n\tburns.\u2028 Help! ' })

  const first = await rowOf(id)
  await answers(id, 'é'.repeat(300))
  await notes(id, 'Of no concern to her')
  const second = await rowOf(id)
  await says(id, '😀 '.repeat(200))
  const third = await rowOf(id)
  await says(id, `\n${' '.repeat(500)}far away`)

  assert.equal(first.snippet, 'The printer burns. Help!')
  assert.deepEqual(first.last_message_by, { type: 'client', id: ada.id, name: 'Ada Lovelace' })
  assert.equal(second.snippet, 'é'.repeat(160))
  assert.deepEqual(second.last_message_by, { type: 'staff', id: admin.id, name: 'Grace Hopper' })
  assert.equal(third.snippet, '😀 '.repeat(80).trimEnd())
  assert.equal((await rowOf(id)).snippet, '')
})

test('whoever wrote last is named as they are called now: the assignee, another member of staff, somebody who is gone', async () => {
  const mary = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const id = await opened()
  await done('/api/admin/tickets/assign', admin, { id, staff_id: admin.id })
  await answers(id, 'Done')
  const byAssignee = (await rowOf(id)).last_message_by
  await done('/api/admin/tickets/reply', mary, { id, message: 'Indeed' })
  const before = (await rowOf(id)).last_message_by
  await sql`update staff set first_name = 'Marie' where id = ${mary.id}`.execute(desk.db)
  const renamed = (await rowOf(id)).last_message_by
  await sql`update ticket_messages set staff_id = null where ticket_id = ${id}`.execute(desk.db)

  assert.deepEqual(byAssignee, { type: 'staff', id: admin.id, name: 'Grace Hopper' })
  assert.deepEqual(renamed, { ...before, name: before.name.replace(/^\S+/, 'Marie') })
  assert.deepEqual((await rowOf(id)).last_message_by, { ...before, id: null })
})

test('it waits since the client wrote first what no answer follows, whatever else happens; closed it waits no more', async () => {
  const id = await opened()
  const opening = await rowOf(id)
  desk.clock.turn(60)
  await says(id, 'Hello?')
  await notes(id, 'Soon')
  await done('/api/admin/tickets/status', admin, { id, status: 'Answered' })
  const reminded = await rowOf(id)
  await answers(id, 'Here we are')
  const answered = await rowOf(id)
  desk.clock.turn(60)
  await says(id, 'It burns again')
  const asked = await rowOf(id)
  desk.clock.turn(60)
  await says(id, 'Really')
  const insisted = await rowOf(id)
  await done('/api/admin/tickets/status', admin, { id, status: 'Closed' })
  const closed = await rowOf(id)

  assert.equal(opening.waiting_since, opening.created_at)
  assert.equal(reminded.waiting_since, opening.created_at)
  assert.match(reminded.waiting_since_iso, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual([answered.waiting_since, answered.waiting_since_iso], [null, null])
  assert.equal(asked.waiting_since, asked.updated_at)
  assert.equal(insisted.waiting_since, asked.waiting_since)
  assert.notEqual(insisted.updated_at, asked.updated_at)
  assert.equal(closed.waiting_since, null)
})

test('what staff open for a client waits for nobody until the client writes', async () => {
  const client = await aClient(desk)
  const body = { client_id: client.id, department_id: 1, subject: 'Callback', message: 'You called.' }
  const { id } = (await done('/api/admin/tickets/create', admin, body)).ticket
  const row = async () => (await done('/api/admin/tickets/list', admin, { client_id: client.id })).tickets[0]

  const before = await row()
  await done(`/api/tickets/${id}/reply`, client, { message: 'I did.' })
  const after = await row()

  assert.deepEqual([before.waiting_since, before.unread, before.last_message_by.type], [null, 0, 'staff'])
  assert.deepEqual([after.waiting_since, after.unread], [after.updated_at, 1])
})

test('a thread is that of all its parts: the last message, the waiting and what is unread', async () => {
  const [target, source] = [await opened({ message: 'Target' }), await opened({ message: 'Source' })]
  await answers(target, 'Done')
  desk.clock.turn(60)
  await says(source, 'Source again')
  const waiting = (await rowOf(source)).waiting_since
  await done('/api/admin/tickets/merge', admin, { id: source, into_id: target })

  const merged = await rowOf(target)
  await answers(source, 'Both are done')
  const answered = await rowOf(target)

  assert.equal(merged.snippet, 'Source again')
  // The answer in the target came before it.
  assert.notEqual(merged.waiting_since, null)
  assert.ok(merged.waiting_since >= waiting)
  assert.deepEqual([answered.snippet, answered.waiting_since], ['Both are done', null])
})

test('unread is what others wrote and oneself has not marked: to look marks nothing, own words are read, notes of others are not', async () => {
  const [grace, mary] = [
    await aSupporter(desk, 'tickets.view_all', 'tickets.reply'),
    await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  ]
  const id = await opened()
  const unread = async () => [(await rowOf(id, grace)).unread, (await rowOf(id, mary)).unread]
  const read = async (by: Person) => {
    const { last_message_id } = await done('/api/admin/tickets/detail', by, { id })
    return await done('/api/admin/tickets/read', by, { id, last_message_id })
  }

  assert.deepEqual(await unread(), [1, 1])
  await done('/api/admin/tickets/detail', grace, { id })
  assert.deepEqual(await unread(), [1, 1])
  assert.deepEqual(await read(grace), { ticket_id: id, unread: 0 })
  assert.deepEqual(await unread(), [0, 1])
  await read(mary)
  await done('/api/admin/tickets/reply', grace, { id, message: 'On it' })
  assert.deepEqual(await unread(), [0, 1])
  await read(mary)
  await notes(id, 'She calls often', mary)
  assert.deepEqual(await unread(), [1, 0])
  await read(grace)
  await says(id, 'Thanks')
  assert.deepEqual(await unread(), [1, 1])
})

test('a mark never goes back, and nobody marks what is not written yet or what they do not see', async () => {
  const [grace, limited] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.view_all')]
  await limitTo(desk, limited.id, 5)
  const id = await opened()
  const first = (await done('/api/admin/tickets/detail', grace, { id })).last_message_id
  const second = (await says(id, 'More')).message_id

  const halfway = await done('/api/admin/tickets/read', grace, { id, last_message_id: first })
  const whole = await done('/api/admin/tickets/read', grace, { id, last_message_id: second })
  const again = await done('/api/admin/tickets/read', grace, { id, last_message_id: first })
  const ahead = await desk.post('/api/admin/tickets/read', grace, { id, last_message_id: second + 1 })
  const unseen = await desk.post('/api/admin/tickets/read', limited, { id, last_message_id: first })
  const client = await desk.post('/api/admin/tickets/read', ada, { id, last_message_id: first })

  assert.deepEqual([halfway.unread, whole.unread, again.unread], [1, 0, 0])
  assert.deepEqual([ahead.status, ahead.body.errors], [400, ['last_message_id']])
  assert.deepEqual([unseen.status, client.status], [404, 403])
  const marks = await desk.db.selectFrom('ticket_reads').where('ticket_id', '=', id).selectAll().execute()
  assert.deepEqual(marks, [
    { ticket_id: id, staff_id: grace.id, message_id: second, note_id: 0, side_message_id: null }
  ])
})

test('a note that comes while one reads stays unread if one says which was the last', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const id = await opened()
  const { id: last_note_id } = (await notes(id, 'First')).note
  await notes(id, 'Second')
  const { last_message_id } = await done('/api/admin/tickets/detail', grace, { id })

  const halfway = await done('/api/admin/tickets/read', grace, { id, last_message_id, last_note_id })
  const whole = await done('/api/admin/tickets/read', grace, { id, last_message_id })

  assert.deepEqual([halfway.unread, whole.unread], [1, 0])
})

test('what was merged into another ticket is read there, and taken apart again it is still read', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const [target, source] = [await opened(), await opened()]
  await done('/api/admin/tickets/merge', admin, { id: source, into_id: target })
  const { last_message_id } = await done('/api/admin/tickets/detail', grace, { id: target })

  const read = await done('/api/admin/tickets/read', grace, { id: source, last_message_id })
  await done('/api/admin/tickets/unmerge', admin, { id: source })
  const apart = [await rowOf(target, grace), await rowOf(source, grace)].map(({ unread }) => unread)
  await limitTo(desk, grace.id, 1)
  await done('/api/admin/tickets/update', admin, { id: target, department_id: 5 })
  await done('/api/admin/tickets/merge', admin, { id: source, into_id: target })
  const hidden = await desk.post('/api/admin/tickets/read', grace, { id: source, last_message_id })

  assert.deepEqual(read, { ticket_id: target, unread: 0 })
  assert.deepEqual(apart, [0, 0])
  assert.deepEqual([hidden.status, hidden.data], [409, { merged_into: null }])
})

test('marks go with their ticket and with their reader', async () => {
  const [grace, mary] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.view_all')]
  const [kept, gone] = [await opened(), await aTicket(desk, ada)]
  for (const id of [kept, gone.ticket_id]) {
    const { last_message_id } = await done('/api/admin/tickets/detail', admin, { id })
    for (const by of [grace, mary]) await done('/api/admin/tickets/read', by, { id, last_message_id })
  }
  const { ticket_number } = gone
  await done('/api/admin/tickets/delete', admin, { id: gone.ticket_id })
  await done('/api/admin/tickets/purge', admin, { id: gone.ticket_id, ticket_number })
  await done('/api/admin/staff/delete', admin, { id: mary.id })

  const marks = await desk.db
    .selectFrom('ticket_reads')
    .where('staff_id', 'in', [grace.id, mary.id])
    .select(['ticket_id', 'staff_id'])
    .execute()

  assert.deepEqual(marks, [{ ticket_id: kept, staff_id: grace.id }])
})

test('filters for what one watches, what was merged, and what waits, since when', async () => {
  const [eve, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]
  const open = async () => (await aTicket(desk, eve)).ticket_id as number
  const [target, source] = [await open(), await open()]
  desk.clock.turn(3600)
  const [fresh, answered, closed] = [await open(), await open(), await open()]
  await answers(answered, 'Done')
  await done('/api/admin/tickets/status', admin, { id: closed, status: 'Closed' })
  await done('/api/admin/tickets/watch', grace, { id: source })
  await done('/api/admin/tickets/watch', grace, { id: fresh })
  await done('/api/admin/tickets/watch', admin, { id: answered })
  await done('/api/admin/tickets/merge', admin, { id: source, into_id: target })
  const rows = (await done('/api/admin/tickets/list', grace, { client_id: eve.id })).tickets
  const since = rows.find(({ id }: { id: number }) => id === target).waiting_since
  const cases: [object, number[]][] = [
    [{ watched: 1 }, [target, fresh]],
    [{ watched: 0 }, [answered, closed]],
    [{ merged: 1 }, [source]],
    [{ merged: 1, watched: 1 }, [source]],
    [{ merged: 0 }, [target, fresh, answered, closed]],
    [{ waiting: 1 }, [target, fresh]],
    [{ is_waiting: 1 }, [target, fresh]],
    [{ waiting: 0 }, [answered, closed]],
    [{ waiting_since: since }, [target]],
    [{ waiting_before: since }, [target]],
    [{ waiting_since: '2000-01-01' }, []],
    [{ waiting: 1, watched: 1, status: ['Open'] }, [target, fresh]]
  ]

  for (const [filter, expected] of cases) {
    for (const encoding of ['json', 'form', 'multipart'] as const) {
      const found = await listedIds(desk, grace, { client_id: eve.id, ...filter }, encoding)
      assert.deepEqual(found.toSorted(), expected.toSorted(), `${encoding} ${JSON.stringify(filter)}`)
    }
  }
  const { total } = await done('/api/admin/tickets/list', grace, { client_id: eve.id, waiting: 1 })
  assert.equal(total, 2)
})
