import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import { calendarTimestamp, isoTime } from '../../../lib/time.ts'
import { ticketCountOf } from '../../ticket/client-ticket-counts.ts'

const desk = await bootDesk()
const wanted = { department_id: 4, subject: 'A wrong bill', message: 'It is too high.' }

test('create opens a ticket with its first message, in each of the three encodings', async () => {
  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const ada = await aClient(desk)

    const reply = await desk.post('/api/tickets/create', ada, { ...wanted, priority: 'High' }, encoding)

    const { ticket_id, ticket_number, created_at, created_at_iso, ...rest } = reply.data
    assert.equal(reply.status, 201)
    assert.match(ticket_number, /^TIC-\d{6}$/)
    assert.deepEqual(rest, {
      department: { id: 4, deptid: 4, name: 'Billing Department' },
      subject: 'A wrong bill',
      priority: 'High',
      status: 'Open',
      message: 'It is too high.',
      attachments: []
    })
    const ticket = await desk.db.selectFrom('tickets').selectAll().where('id', '=', ticket_id).executeTakeFirstOrThrow()
    assert.deepEqual(
      [ticket.client_id, ticket.status, ticket.assigned_staff_id, ticket.message_count, ticket.attachment_count],
      [ada.id, 'Open', null, 1, 0]
    )
    assert.deepEqual(ticket.created_at, ticket.updated_at)
    assert.equal(created_at, calendarTimestamp(ticket.created_at))
    assert.equal(created_at_iso, isoTime(ticket.created_at))
    const messages = await desk.db
      .selectFrom('ticket_messages')
      .selectAll()
      .where('ticket_id', '=', ticket_id)
      .execute()
    assert.deepEqual(
      messages.map(message => [message.client_id, message.staff_id, message.sender_type, message.message]),
      [[ada.id, null, 'client', 'It is too high.']]
    )
  }
})

test('created_at is a text timestamp in weekday-month-day-time-year form, of the service clock', async t => {
  const ada = await aClient(desk)
  desk.clock.turn(20 * 3600)
  t.after(() => desk.clock.turn(-20 * 3600))

  const { created_at } = await aTicket(desk, ada)

  assert.match(created_at, /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d{2} \d{2}:\d{2}:\d{2} \d{4}$/)
  assert.ok(Math.abs(Date.parse(`${created_at} UTC`) - desk.clock.now().getTime()) < 60_000)
})

test('without a priority, or with an empty one, it is Medium', async () => {
  const ada = await aClient(desk)

  const absent = await desk.post('/api/tickets/create', ada, wanted)
  const empty = await desk.post('/api/tickets/create', ada, { ...wanted, priority: '' }, 'form')

  assert.equal(absent.data.priority, 'Medium')
  assert.equal(empty.data.priority, 'Medium')
})

test('department_id is the public deptid, under either name, and both may come when they are equal', async t => {
  const ada = await aClient(desk)
  const department = await desk.db
    .insertInto('departments')
    .values({ deptid: 77, name: 'Late Department' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { department_id: _, ...rest } = wanted
  t.after(async () => {
    await desk.db.deleteFrom('tickets').where('department_id', '=', department.id).execute()
    await desk.db.deleteFrom('departments').where('id', '=', department.id).execute()
  })

  for (const names of [{ department_id: 77 }, { deptid: 77 }, { department_id: 77, deptid: '77' }]) {
    const reply = await desk.post('/api/tickets/create', ada, { ...rest, ...names })

    assert.equal(reply.status, 201)
    assert.deepEqual(reply.data.department, { id: department.id, deptid: 77, name: 'Late Department' })
  }
})

test('deptid and department_id that differ are refused, and nothing is written', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  const reply = await desk.post('/api/tickets/create', ada, { ...wanted, deptid: 5 })

  assert.equal(reply.status, 400)
  assert.deepEqual(reply.body.errors, ['department_id'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('an unknown or inactive department is a 400 that names the field, and nothing is written', async t => {
  const ada = await aClient(desk)
  await desk.db.insertInto('departments').values({ deptid: 78, name: 'Gone', is_active: false }).execute()
  t.after(() => desk.db.deleteFrom('departments').where('deptid', '=', 78).execute())
  const before = await desk.rowCounts()

  for (const department_id of [2, 78, Number.MAX_SAFE_INTEGER]) {
    const reply = await desk.post('/api/tickets/create', ada, { ...wanted, department_id })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['department_id'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await ticketCountOf(desk.db, ada.id).executeTakeFirstOrThrow()).total, 0)
})

test('an unknown priority is a 400', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  for (const priority of ['Urgent', 'high', 3]) {
    const reply = await desk.post('/api/tickets/create', ada, { ...wanted, priority })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['priority'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('the subject is trimmed, the message is kept as sent, and a blank one is missing', async () => {
  const ada = await aClient(desk)

  const kept = await desk.post('/api/tickets/create', ada, { ...wanted, subject: '  Help ', message: ' a\n\n b ' })
  const blank = await desk.post('/api/tickets/create', ada, { ...wanted, subject: ' ', message: '\n ' })

  assert.equal(kept.data.subject, 'Help')
  assert.equal(kept.data.message, ' a\n\n b ')
  assert.equal(blank.status, 400)
  assert.deepEqual(blank.body.errors, ['subject', 'message'])
})

test('a subject of 255 characters and a long message of any script are stored whole', async () => {
  const ada = await aClient(desk)
  const subject = '😀'.repeat(255)
  const message = 'Zażółć gęślą jaźń 日本語 '.repeat(10_000)

  const reply = await desk.post('/api/tickets/create', ada, { ...wanted, subject, message })

  assert.equal(reply.status, 201)
  assert.equal(reply.data.subject, subject)
  assert.equal(reply.data.message, message)
})

test('POST /api/tickets creates when a subject, message, deptid or priority is there, else it lists', async () => {
  const ada = await aClient(desk)

  const created = await desk.post('/api/tickets', ada, wanted)
  const claims = await Promise.all(
    [{ subject: 'a' }, { message: 'a' }, { deptid: 4 }, { priority: 'Low' }].map(body =>
      desk.post('/api/tickets', ada, body)
    )
  )
  const listed = await desk.post('/api/tickets', ada, { department_id: 4, status: 'Open' })

  assert.equal(created.status, 201)
  for (const claim of claims) assert.match(claim.body.message, /^Missing required fields/)
  assert.equal(listed.data.count, 1)
})

test('staff cannot create tickets, under neither address', async () => {
  const before = await desk.rowCounts()
  const people = [await anAdmin(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]
  const grown = await desk.rowCounts()

  for (const person of people) {
    for (const path of ['/api/tickets/create', '/api/tickets']) {
      assert.equal((await desk.post(path, person, wanted)).status, 403)
    }
  }
  assert.deepEqual(await desk.rowCounts(), grown)
  assert.equal(grown.tickets, before.tickets)
})

test('tickets opened at once get different numbers and are all counted', async () => {
  const busy = await bootDesk({ connections: 10 })
  const ada = await aClient(busy)

  const replies = await Promise.all(Array.from({ length: 20 }, () => busy.post('/api/tickets/create', ada, wanted)))

  assert.ok(replies.every(reply => reply.status === 201))
  assert.equal(new Set(replies.map(reply => reply.data.ticket_number)).size, 20)
  assert.equal((await busy.post('/api/tickets/list', ada)).data.total, 20)
})
