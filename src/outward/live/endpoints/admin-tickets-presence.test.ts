import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { withoutAttemptLimits } from '../../../../test/support/routes.ts'
import { listen, type StreamEvent, type StreamListener } from '../../../../test/support/streams.ts'
import { aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ config: withoutAttemptLimits, connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const open: StreamListener[] = []
after(() => {
  for (const each of open) each.close()
})

async function listening(person: Person, body: object = {}): Promise<StreamListener> {
  const stream = await listen(desk.url, { token: person.token, body })
  open.push(stream)
  return stream
}

const say = (person: Person, id: number, state: string) =>
  desk.post('/api/admin/tickets/presence', person, { id, state })
const tells = (ticket: number, staff: [id: number, state: string][]) => (told: StreamEvent) =>
  told.event === 'presence' &&
  told.data.ticket_id === ticket &&
  JSON.stringify(told.data.staff.map((each: { id: number; state: string }) => [each.id, each.state])) ===
    JSON.stringify(staff)

test('who is at a ticket is told whole each time, without an id, to those who see the ticket', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const elsewhere = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, elsewhere.id, 4)
  const { ticket_id: id } = await aTicket(desk, ada)
  const { ticket_id: fourth } = await aTicket(desk, ada, { department_id: 4 })
  const [stream, far] = [await listening(admin), await listening(elsewhere)]

  const reply = await say(grace, id, 'viewing')
  const first = await stream.first(tells(id, [[grace.id, 'viewing']]))
  await say(admin, id, 'replying')
  await stream.first(
    tells(id, [
      [grace.id, 'viewing'],
      [admin.id, 'replying']
    ])
  )
  await say(grace, id, 'away')
  await stream.first(tells(id, [[admin.id, 'replying']]))
  await say(admin, fourth, 'viewing')
  await far.first(tells(fourth, [[admin.id, 'viewing']]))

  assert.deepEqual(
    reply.data.staff.map((each: { name: string }) => each.name),
    ['Grace Hopper']
  )
  assert.equal(first.id, undefined)
  assert.match(first.data.staff[0].since, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.ok(far.told.every(({ data }) => data.ticket_id !== id))
  for (const ticket of [id, fourth]) await say(admin, ticket, 'away')
})

test('whoever begins to listen is told who is there, and saying it again changes nothing', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const { ticket_id: id } = await aTicket(desk, ada)
  await say(grace, id, 'replying')

  const stream = await listening(admin)
  const first = await stream.first(tells(id, [[grace.id, 'replying']]))
  await say(grace, id, 'replying')
  await say(grace, id, 'viewing')
  await stream.first(tells(id, [[grace.id, 'viewing']]))

  const ofTicket = stream.told.filter(({ event, data }) => event === 'presence' && data.ticket_id === id)
  assert.equal(ofTicket.length, 2)
  assert.deepEqual(ofTicket[0], first)
  await say(grace, id, 'away')
})

test('it is over half a minute after the last word', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const { ticket_id: id } = await aTicket(desk, ada)
  const stream = await listening(admin)
  await say(grace, id, 'viewing')
  await stream.first(tells(id, [[grace.id, 'viewing']]))

  await sql`update presences set said_at = said_at - interval '29 seconds'`.execute(desk.db)
  await say(grace, id, 'viewing')
  await sql`update presences set said_at = said_at - interval '31 seconds' where ticket_id = ${id}`.execute(desk.db)

  await stream.first(tells(id, []))
})

test('it is over at once when the last stream of the person breaks, and not before', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const { ticket_id: id } = await aTicket(desk, ada)
  const [stream, one, two] = [await listening(admin), await listening(grace), await listening(grace)]
  await say(grace, id, 'viewing')
  await stream.first(tells(id, [[grace.id, 'viewing']]))

  one.close()
  await say(admin, id, 'viewing')
  await stream.first(
    tells(id, [
      [grace.id, 'viewing'],
      [admin.id, 'viewing']
    ])
  )
  two.close()

  await stream.first(tells(id, [[admin.id, 'viewing']]))
  await say(admin, id, 'away')
})

test('a note or a reply counts as viewing', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const ids = [await aTicket(desk, ada), await aTicket(desk, ada), await aTicket(desk, ada)].map(each => each.ticket_id)
  const stream = await listening(admin)

  await desk.post('/api/admin/tickets/note', grace, { id: ids[0], note: 'x' })
  await desk.post('/api/admin/tickets/reply', grace, { id: ids[1], message: 'x' })
  await desk.post('/api/tickets/reply', grace, { id: ids[2], message: 'x' })

  for (const id of ids) await stream.first(tells(id, [[grace.id, 'viewing']]))
})

test('whoever does not see the ticket hears that there is none, and a state of another name is refused', async () => {
  const limited = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, limited.id, 4)
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)

  const hidden = await say(limited, id, 'viewing')
  const none = await say(admin, 987_654_321, 'viewing')
  const odd = await say(admin, id, 'sleeping')
  const byNumber = await desk.post('/api/admin/tickets/presence', admin, { id: ticket_number, state: 'viewing' })

  assert.deepEqual([hidden.status, hidden.body.reason], [404, 'ticket_not_found'])
  assert.deepEqual([none.status, odd.status, byNumber.status], [404, 400, 200])
  assert.equal((await desk.post('/api/admin/tickets/presence', ada, { id, state: 'viewing' })).status, 403)
  assert.deepEqual(
    byNumber.data.staff.map((each: { id: number }) => each.id),
    [admin.id]
  )
})

test('a stream for named kinds is told of nobody’s presence, and one for a ticket of that ticket’s alone', async () => {
  const [one, other] = [(await aTicket(desk, ada)).ticket_id, (await aTicket(desk, ada)).ticket_id]
  const [named, narrow] = [
    await listening(admin, { kinds: ['ticket.noted'] }),
    await listening(admin, { ticket_id: one })
  ]

  for (const id of [other, one]) await say(admin, id, 'viewing')
  await narrow.first(tells(one, [[admin.id, 'viewing']]))
  await desk.post('/api/admin/tickets/note', admin, { id: one, note: 'x' })
  await named.first(({ event }) => event === 'ticket.noted')

  assert.deepEqual(
    named.told.map(({ event }) => event),
    ['ticket.noted']
  )
  assert.ok(narrow.told.every(({ data }) => data.ticket_id === one))
})
