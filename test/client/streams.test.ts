import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type DeskEvent, type StreamedEvent } from '../../client/src/index.js'
import { bootDesk } from '../support/desk.ts'
import { failureOf } from '../support/failure-of.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { aClient, anAdmin, type Person } from '../support/people.ts'
import { aTicket } from '../support/tickets.ts'

const desk = await bootDesk({ connections: 10 })
const staffStream = '/api/admin/events/stream'
/** A stream that tells nothing would let a test wait for ever. Begun with the stream: the tests of other files may come before. */
const patience = () => AbortSignal.timeout(60_000)

async function signedIn(person: Person, population: 'client' | 'staff', baseUrl = desk.url) {
  const client = createClient({ baseUrl })
  await client.signIn({ email: person.email, password: person.password, population })
  return client
}

/** The next events of these kinds. */
async function next<K extends StreamedEvent['kind']>(
  events: AsyncIterator<StreamedEvent, void>,
  count: number,
  kinds: K[]
): Promise<(StreamedEvent & { kind: K })[]> {
  const found: (StreamedEvent & { kind: K })[] = []
  while (found.length < count) {
    const { value } = await events.next()
    assert.ok(value)
    if (kinds.some(kind => kind === value.kind)) found.push(value as StreamedEvent & { kind: K })
  }
  return found
}

test('what happens is told as it happens, and no event is lost or told twice when the connection breaks again and again', async () => {
  const ada = await aClient(desk)
  const front = await faultyProxy(desk.url, () => 'pass')
  const staff = await signedIn(await anAdmin(desk), 'staff', front.url)
  const events = staff.stream({ kinds: ['ticket.created'], signal: patience() })

  const opened: number[] = []
  const told: DeskEvent[] = []
  const first = next(events, 1, ['ticket.created'])
  await untilBegun(front, first)
  for (let round = 0; round < 4; round++) {
    opened.push((await aTicket(desk, ada)).ticket_id)
    told.push(...(round === 0 ? await first : await next(events, 1, ['ticket.created'])))
    // What happens while nobody listens is told later.
    front.cut()
    opened.push((await aTicket(desk, ada)).ticket_id)
    told.push(...(await next(events, 1, ['ticket.created'])))
  }
  await events.return()

  assert.deepEqual(
    told.map(({ ticket_id }) => ticket_id),
    opened
  )
  const ids = told.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    [...new Set(ids)].toSorted((one, other) => one - other)
  )
})

test('what happens between a first connection that breaks before any event and the second one is told', async () => {
  const ada = await aClient(desk)
  const front = await faultyProxy(desk.url, () => 'pass')
  const staff = await signedIn(await anAdmin(desk), 'staff', front.url)
  const events = staff.stream({ kinds: ['ticket.created'], signal: patience() })

  const first = next(events, 1, ['ticket.created'])
  await untilBegun(front, first)
  front.cut()
  const { ticket_id } = await aTicket(desk, ada)
  const [event] = await first
  await events.return()

  assert.equal(event?.ticket_id, ticket_id)
})

test('clients hear of their own tickets, and from where they left off', async () => {
  const ada = await aClient(desk)
  const grace = await aClient(desk)
  const client = await signedIn(ada, 'client')
  const { ticket_id: id } = await aTicket(desk, ada)
  await aTicket(desk, grace)
  await desk.post('/api/admin/tickets/note', await anAdmin(desk), { id, message: 'Between us.' })
  await desk.post('/api/tickets/reply', ada, { id, message: 'Still burning.' })

  const fromTheBeginning = client.stream({ after: '0', signal: patience() })
  const [created, replied] = await next(fromTheBeginning, 2, ['ticket.created', 'ticket.replied', 'ticket.noted'])
  await fromTheBeginning.return()
  const later = client.stream({ after: created!.id, signal: patience() })
  const [again] = await next(later, 1, ['ticket.created', 'ticket.replied'])
  await later.return()

  assert.deepEqual([created?.kind, created?.ticket_id, replied?.kind], ['ticket.created', id, 'ticket.replied'])
  assert.deepEqual(again, replied)
})

test('who is at a ticket is told to colleagues', async () => {
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  const listening = await signedIn(await anAdmin(desk), 'staff')
  const grace = await anAdmin(desk)
  const looking = await signedIn(grace, 'staff')
  const events = listening.stream({ signal: patience() })

  const heard = next(events, 1, ['presence'])
  await looking.POST('/api/admin/tickets/presence', { body: { id, state: 'viewing' } })
  const [presence] = await heard
  await events.return()

  assert.equal(presence?.ticket_id, id)
  assert.deepEqual(
    presence?.staff.map(one => one.id),
    [grace.id]
  )
})

test('a stream of somebody who signs out ends with the failure that says so', async () => {
  const staff = await signedIn(await anAdmin(desk), 'staff')
  const heard = failureOf(next(staff.stream({ signal: patience() }), 1, ['ticket.purged']))

  await staff.signOut()

  assert.equal((await heard).status, 401)
})

test('the feed is read page by page up to its end, also where it tells nothing for a while', async () => {
  const ada = await aClient(desk)
  const staff = await signedIn(await anAdmin(desk), 'staff')
  const { ticket_id } = await aTicket(desk, ada)
  await desk.post('/api/tickets/reply', ada, { id: ticket_id, message: 'Still burning.' })

  const kinds: string[] = []
  for await (const { events } of staff.pages('/api/admin/events/list', { body: { ticket_id, limit: 1 } })) {
    assert.equal(events.length, 1)
    kinds.push(...events.map(({ kind }) => kind))
  }

  assert.deepEqual(kinds.slice(0, 2), ['ticket.created', 'ticket.replied'])
})

/** Until the stream has begun, or what waits for its events has failed. */
async function untilBegun(front: { answered: string[] }, first: Promise<unknown>) {
  let isOver = false
  first
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  while (!front.answered.includes(staffStream) && !isOver) await new Promise(setImmediate)
}
