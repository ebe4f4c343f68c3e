import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { withoutAttemptLimits } from '../../../../test/support/routes.ts'
import { assign, aTicket, limitTo } from '../../../../test/support/tickets.ts'
import { eventKinds } from '../../../core/events/catalogue.ts'

const desk = await bootDesk({ config: withoutAttemptLimits, connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

interface Event {
  id: number
  kind: string
  ticket_id: number | null
  client_id: number | null
  actor: { type: string; id: number | null; name: string }
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

async function page(person: Person, body: object = {}): Promise<{ events: Event[]; next_cursor: string }> {
  const reply = await desk.post('/api/admin/events/list', person, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}

/** All events after a cursor, page by page. */
async function all(person: Person, body: { after?: string; limit?: number } = {}): Promise<Event[]> {
  const events: Event[] = []
  for (let after = body.after; ; ) {
    const { events: more, next_cursor } = await page(person, { ...body, ...(after === undefined ? {} : { after }) })
    events.push(...more)
    if (next_cursor === after) return events
    after = next_cursor
  }
}

const act = async (action: string, by: Person, body: object) => {
  const reply = await desk.post(`/api/admin/tickets/${action}`, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

test('the cursor of an empty desk is a text, and leads on', async () => {
  const empty = await bootDesk()
  const admin = await anAdmin(empty)

  const first = (await empty.post('/api/admin/events/list', admin)).data
  const { ticket_id } = await aTicket(empty, await aClient(empty))
  const second = (await empty.post('/api/admin/events/list', admin, { after: first.next_cursor })).data

  assert.deepEqual(first, { events: [], next_cursor: '0' })
  assert.deepEqual(
    second.events.map(({ kind, ticket_id }: Event) => [kind, ticket_id]),
    [['ticket.created', ticket_id]]
  )
  assert.equal(second.next_cursor, String(second.events[0].id))
})

test('admins read of everything that happened, in order and once, whatever the size of a page', async () => {
  const before = (await page(admin, { limit: 1000 })).next_cursor
  const { ticket_id: id } = await aTicket(desk, ada)
  await act('reply', admin, { id, message: 'Have you tried water?' })
  await act('note', admin, { id, note: 'Again.' })
  await act('status', admin, { id, status: 'Closed' })
  await desk.post('/api/admin/tags/create', admin, { name: `late-${id}` })

  const whole = await all(admin, { after: before })
  const single = await all(admin, { after: before, limit: 1 })

  assert.deepEqual(
    whole.map(({ kind }) => kind),
    ['ticket.created', 'ticket.replied', 'ticket.noted', 'ticket.status_changed', 'tag.created']
  )
  assert.deepEqual(single, whole)
  const [created, replied, noted, changed] = whole
  assert.deepEqual([created!.ticket_id, created!.client_id], [id, ada.id])
  assert.deepEqual(created!.actor, { type: 'client', id: ada.id, name: 'Ada Lovelace' })
  assert.deepEqual(replied!.actor, { type: 'staff', id: admin.id, name: 'Grace Hopper' })
  assert.deepEqual(Object.keys(noted!.after!), ['note_id'])
  assert.deepEqual([changed!.before, changed!.after], [{ status: 'Answered' }, { status: 'Closed' }])
})

test('a cursor may come as the number of the event, and kinds and a ticket narrow what is told', async () => {
  const { next_cursor: after } = await page(admin, { limit: 1000 })
  const [one, other] = [await aTicket(desk, ada), await aTicket(desk, ada)]
  await act('status', admin, { id: one.ticket_id, status: 'Closed' })

  const told = async (body: object) =>
    (await page(admin, { after, ...body })).events.map(event => [event.kind, event.ticket_id])

  assert.deepEqual(await told({ ticket_id: other.ticket_id }), [['ticket.created', other.ticket_id]])
  assert.deepEqual(await told({ kinds: ['ticket.status_changed'] }), [['ticket.status_changed', one.ticket_id]])
  assert.deepEqual(await told({ kinds: 'ticket.noted' }), [])
  assert.equal((await told({ after: Number(after) })).length, 3)
  assert.equal(
    (await page(admin, { after, ticket_id: 987_654_321 })).next_cursor,
    (await page(admin, { after })).next_cursor
  )
})

test('other staff read of the tickets that they see now, and the cursor advances over what they do not', async () => {
  const after = (await page(admin, { limit: 1000 })).next_cursor
  const seer = await aSupporter(desk, 'tickets.view_all')
  const limited = await aSupporter(desk, 'tickets.view_all')
  const own = await aSupporter(desk, 'tickets.reply')
  const deleter = await aSupporter(desk, 'tickets.view_all', 'tickets.delete')
  await limitTo(desk, limited.id, 4)
  const [here, there, trashed] = [
    await aTicket(desk, ada),
    await aTicket(desk, ada, { department_id: 4 }),
    await aTicket(desk, ada)
  ].map(({ ticket_id }) => ticket_id as number)
  await assign(desk, here!, own.id)
  await act('delete', admin, { id: trashed })
  await desk.post('/api/admin/tags/create', admin, { name: `odd-${here}` })
  const told = async (person: Person) => [
    ...new Set((await all(person, { after, limit: 2 })).map(({ ticket_id }) => ticket_id))
  ]

  assert.deepEqual(await told(seer), [here, there])
  assert.deepEqual(await told(limited), [there])
  assert.deepEqual(await told(own), [here])
  assert.deepEqual(await told(deleter), [here, there, trashed])
  assert.equal((await page(own, { after })).next_cursor, (await page(admin, { after })).next_cursor)

  await desk.db.updateTable('tickets').set({ department_id: 4 }).where('id', '=', here!).execute()
  assert.deepEqual(await told(limited), [here, there])
})

test('what was merged is told to who sees the ticket that it is now, and other tickets stay unnamed', async () => {
  const after = (await page(admin, { limit: 1000 })).next_cursor
  const [first, fourth] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.view_all')]
  await limitTo(desk, first.id, 1)
  await limitTo(desk, fourth.id, 4)
  const [source, target] = [await aTicket(desk, ada), await aTicket(desk, ada, { department_id: 4 })]
  await act('merge', admin, { id: source.ticket_id, into_id: target.ticket_id })

  const merged = (await all(fourth, { after })).find(({ kind }) => kind === 'ticket.merged')!
  assert.deepEqual(merged.after!.merged_into, { id: target.ticket_id, ticket_number: target.ticket_number })
  assert.deepEqual(await all(first, { after }), [])

  await act('unmerge', admin, { id: source.ticket_id })
  const unmerged = (await all(first, { after })).find(({ kind }) => kind === 'ticket.unmerged')!
  assert.equal(unmerged.before!.merged_into, null)
})

test('a wrong cursor, an unknown kind and a cursor that is no longer kept are told apart', async () => {
  const own = await bootDesk({ connections: 2 })
  const admin = await anAdmin(own)
  const ask = (body: object) => own.post('/api/admin/events/list', admin, body)
  const client = await aClient(own)
  for (let at = 0; at < 2; at++) await aTicket(own, client)
  const cursor = (await ask({ limit: 1 })).data.next_cursor

  for (const after of ['nonsense', '-1', '1.5', '9999999999', 'WyJ1cGRhdGVkIl0', '1'.repeat(50)]) {
    const reply = await ask({ after })
    assert.deepEqual([reply.status, reply.body.reason], [400, 'invalid_cursor'], after)
  }
  for (const body of [{ kinds: ['ticket.unheard_of'] }, { kinds: 'x' }, { after: 'x'.repeat(101) }, { after: {} }]) {
    assert.equal((await ask(body)).body.reason, 'invalid_fields')
  }
  assert.equal((await ask({ after: cursor })).data.events.length, 1)

  own.clock.turn(91 * 86_400)
  // Whoever was logged in for so long is not any more.
  const later = await anAdmin(own)
  const old = await own.post('/api/admin/events/list', later, { after: cursor })
  assert.deepEqual([old.status, old.body.reason], [410, 'cursor_expired'])
  await aTicket(own, await aClient(own))
  const kept = (await own.post('/api/admin/events/list', later)).data
  assert.deepEqual(
    kept.events.map(({ id }: Event) => id),
    [3]
  )
})

test('who may do nothing with tickets reads of nothing, and neither does a client', async () => {
  for (const person of [await aSupporter(desk), await aSupporter(desk, 'clients.view', 'staff.view'), ada]) {
    assert.equal((await desk.post('/api/admin/events/list', person)).status, 403)
  }
})

test('no kind that is for admins alone concerns a ticket, so that nobody reads of it by seeing one', () => {
  for (const [kind, { readers }] of Object.entries(eventKinds)) {
    assert.equal(
      ['admin', 'desk', 'any staff'].includes(readers),
      !/^(ticket|sla|conversation|csat)\./.test(kind),
      kind
    )
  }
})
