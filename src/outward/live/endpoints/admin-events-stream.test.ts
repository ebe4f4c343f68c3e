import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { withoutAttemptLimits } from '../../../../test/support/routes.ts'
import { type ListenOptions, listen, type StreamListener } from '../../../../test/support/streams.ts'
import { assign, aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ config: { ...withoutAttemptLimits, MAX_EVENT_STREAMS: 60 }, connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const open: StreamListener[] = []
after(() => {
  for (const each of open) each.close()
})

async function listening(person: Person, options: Omit<ListenOptions, 'token'> = {}): Promise<StreamListener> {
  const stream = await listen(desk.url, { token: person.token, ...options })
  open.push(stream)
  return stream
}

const act = async (action: string, by: Person, body: object) => {
  const reply = await desk.post(`/api/admin/tickets/${action}`, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}
/** An event that every stream receives last, which proves that whatever is missing before it never comes. */
async function aSign(...streams: StreamListener[]): Promise<void> {
  const { ticket_id } = await aTicket(desk, ada, { department_id: 4 })
  for (const stream of streams) await stream.first(({ data }) => data.ticket_id === ticket_id, 'the sign')
}
const events = ({ told }: StreamListener) => told.filter(({ event }) => event !== 'presence')
const kindsOf = ({ told }: StreamListener, ticket: number) =>
  told.filter(({ data, event }) => data.ticket_id === ticket && event !== 'presence').map(({ event }) => event)

test('what happens is told as the feed tells it, from now on, in order', async () => {
  await aTicket(desk, ada)
  const stream = await listening(admin)
  const { next_cursor } = (await desk.post('/api/admin/events/list', admin, { limit: 1000 })).data

  const { ticket_id: id } = await aTicket(desk, ada)
  await act('reply', admin, { id, message: 'Water?' })
  await act('note', admin, { id, note: 'Again.' })
  await desk.post('/api/admin/tags/create', admin, { name: 'streamed' })
  await stream.first(({ event }) => event === 'tag.created')

  const told = stream.told.filter(({ event }) => event !== 'presence')
  const { events } = (await desk.post('/api/admin/events/list', admin, { after: next_cursor })).data
  assert.equal(stream.status, 200)
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.deepEqual(
    told.map(({ data }) => data),
    events
  )
  for (const { id, event, data } of told) assert.deepEqual([id, event], [String(data.id), data.kind])
  stream.close()
})

test('a stream is taken up behind Last-Event-ID, else behind after, without a gap or a repetition', async () => {
  const first = await listening(admin)
  const { ticket_id: id } = await aTicket(desk, ada)
  await first.first(({ data }) => data.ticket_id === id)
  first.close()
  for (const status of ['Closed', 'Open', 'Closed']) await act('status', admin, { id, status })

  const again = await listening(admin, { lastEventId: first.lastId()!, body: { after: '0' } })
  await act('status', admin, { id, status: 'Open' })
  const after = await listening(admin, { body: { after: first.lastId() } })
  await again.first(({ data }) => data.after?.status === 'Open' && again.told.length >= 4)
  await aSign(again, after)

  const expected = Array.from({ length: 4 }, () => 'ticket.status_changed')
  assert.deepEqual(kindsOf(again, id), expected)
  assert.deepEqual(kindsOf(after, id), expected)
  again.close()
  after.close()
})

test('a cursor that is wrong or no longer kept is refused before the stream begins', async () => {
  const own = await bootDesk({ connections: 2 })
  const client = await aClient(own)
  for (let at = 0; at < 2; at++) await aTicket(own, client)
  const admin = await anAdmin(own)
  await own.post('/api/admin/events/list', admin)
  const ask = async (person: Person, options: object) =>
    (await listen(own.url, { token: person.token, ...options })).status

  assert.equal(await ask(admin, { lastEventId: 'nonsense' }), 400)
  assert.equal(await ask(admin, { body: { after: '99' } }), 400)
  assert.equal(await ask(admin, { body: { kinds: ['nonsense'] } }), 400)
  own.clock.turn(91 * 86_400)
  assert.equal(await ask(await anAdmin(own), { body: { after: '1' } }), 410)
})

test('staff are told of the tickets that they see when it happens, and of nothing for admins', async () => {
  const limited = await aSupporter(desk, 'tickets.view_all')
  const own = await aSupporter(desk, 'tickets.reply')
  await limitTo(desk, limited.id, 4)
  const [here, there] = [
    (await aTicket(desk, ada)).ticket_id,
    (await aTicket(desk, ada, { department_id: 4 })).ticket_id
  ]
  const [one, two] = [await listening(limited), await listening(own)]

  await desk.post('/api/admin/tags/create', admin, { name: 'for admins' })
  for (const id of [here, there]) await act('status', admin, { id, status: 'Closed' })
  await one.first(({ event }) => event === 'ticket.status_changed')
  await assign(desk, there, own.id)
  await act('note', admin, { id: there, note: 'Yours.' })
  await two.first(({ event }) => event === 'ticket.noted')
  await one.first(({ event }) => event === 'ticket.noted')

  assert.deepEqual(
    events(one).map(({ event, data }) => [event, data.ticket_id]),
    [
      ['ticket.status_changed', there],
      ['ticket.noted', there]
    ]
  )
  assert.deepEqual(
    events(two).map(({ event }) => event),
    ['ticket.noted']
  )
  one.close()
  two.close()
})

test('what one may see no more is told no more at once, and what is given back is told again', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, grace.id, 1, 4)
  const stream = await listening(grace)
  const { ticket_id: id } = await aTicket(desk, ada)
  await stream.first(({ data }) => data.ticket_id === id)

  await desk.db
    .deleteFrom('department_members')
    .where('staff_id', '=', grace.id)
    .where('department_id', '=', 1)
    .execute()
  await act('status', admin, { id, status: 'Closed' })
  await aSign(stream)
  await limitTo(desk, grace.id, 1)
  await act('status', admin, { id, status: 'Open' })
  await stream.first(
    ({ data }) => data.after?.status === 'Open' && data.ticket_id === id && data.kind !== 'ticket.created'
  )

  assert.deepEqual(kindsOf(stream, id), ['ticket.created', 'ticket.status_changed'])
  assert.deepEqual(stream.told.at(-1)!.data.after, { status: 'Open' })
  stream.close()
})

describe('a stream ends', { concurrency: true }, () => {
  const cases: [what: string, take: (person: Person) => Promise<unknown>][] = [
    ['when its session is signed out', person => desk.post('/api/auth/logout', person)],
    [
      'when the permission is withdrawn',
      person => desk.post('/api/admin/staff/permissions', admin, { id: person.id, permissions: ['clients.view'] })
    ],
    [
      'when the account is deactivated',
      person => desk.post('/api/admin/staff/update', admin, { id: person.id, is_active: 0 })
    ],
    ['when the account is deleted', person => desk.post('/api/admin/staff/delete', admin, { id: person.id })]
  ]
  for (const [what, take] of cases) {
    test(`${what}, in order`, async () => {
      const person = await aSupporter(desk, 'tickets.view_all')
      const stream = await listening(person)

      assert.equal(((await take(person)) as { status: number }).status, 200)

      assert.equal(await stream.ended, 'ended')
    })
  }
})

test('an account has twenty streams, the next is refused with a reason, and one that is closed makes room', async () => {
  const person = await aSupporter(desk, 'tickets.view_all')
  const streams = await Promise.all(Array.from({ length: 23 }, () => listening(person)))
  const refused = await desk.post('/api/admin/events/stream', person)

  assert.deepEqual(streams.map(({ status }) => status).toSorted(), [...Array(20).fill(200), 429, 429, 429])
  assert.deepEqual([refused.status, refused.body.reason], [429, 'too_many_streams'])
  assert.equal(refused.headers.get('retry-after'), '5')

  streams.find(({ status }) => status === 200)!.close()
  let status = 429
  while (status === 429) {
    const next = await listening(person)
    status = next.status
  }
  assert.equal(status, 200)
  for (const each of open) each.close()
})

test('a process that serves as many streams as it may says so', async () => {
  const own = await bootDesk({ config: { MAX_EVENT_STREAMS: 2 }, connections: 2 })
  const person = await anAdmin(own)
  const streams = [await listen(own.url, person), await listen(own.url, person)]

  const refused = await own.post('/api/admin/events/stream', person)

  assert.deepEqual([refused.status, refused.body.reason], [503, 'streams_full'])
  for (const each of streams) each.close()
})

test('kinds and a ticket narrow a stream', async () => {
  const [one, other] = [(await aTicket(desk, ada)).ticket_id, (await aTicket(desk, ada)).ticket_id]
  const stream = await listening(admin, { body: { ticket_id: one, kinds: ['ticket.noted', 'ticket.status_changed'] } })

  for (const id of [one, other]) {
    await act('note', admin, { id, note: 'x' })
    await act('status', admin, { id, status: 'Closed' })
  }
  await act('note', admin, { id: one, note: 'last' })
  await stream.first(() => stream.told.length >= 3)

  assert.deepEqual(
    stream.told.map(({ event, data }) => [event, data.ticket_id]),
    [
      ['ticket.noted', one],
      ['ticket.status_changed', one],
      ['ticket.noted', one]
    ]
  )
  stream.close()
})

test('whoever comes late reads a long log of large events in parts and then listens with the others', async () => {
  const own = await bootDesk({ connections: 4, config: withoutAttemptLimits })
  const [client, admin] = [await aClient(own), await anAdmin(own)]
  const limited = await aSupporter(own, 'tickets.view_all')
  await limitTo(own, limited.id, 4)
  const { ticket_id } = await aTicket(own, client, { department_id: 4 })
  await sql`insert into events (ticket_id, kind, actor_type, actor_id, actor_name, created_at, before, after)
    select ticket_id, 'ticket.updated', actor_type, actor_id, actor_name, created_at, subject, subject
    from events, generate_series(1, 3000), json_build_object('subject', repeat('x', 300)) as subject`.execute(own.db)
  const earlier = await listen(own.url, { token: limited.token, body: { after: '0' } })
  await earlier.first(({ data }) => data.id === 3001)
  const stream = await listen(own.url, { token: limited.token, body: { after: '0' } })

  await own.post('/api/admin/tickets/note', admin, { id: ticket_id, note: 'x' })
  await stream.first(({ event }) => event === 'ticket.noted')

  assert.deepEqual(
    stream.told.filter(({ event }) => event !== 'presence').map(({ data }) => data.id),
    Array.from({ length: 3002 }, (_, at) => at + 1)
  )
  earlier.close()
  stream.close()
})
