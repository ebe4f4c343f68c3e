import assert from 'node:assert/strict'
import fc from 'fast-check'
import { bootDesk } from './desk.ts'
import { aClient, anAdmin, type Person } from './people.ts'
import { aCalendar, aPolicy } from './sla.ts'
import { aTicket } from './tickets.ts'

const kinds = [
  ...([
    'open',
    'open',
    'openByStaff',
    'write',
    'write',
    'reply',
    'reply',
    'reply',
    'close',
    'close',
    'reopen'
  ] as const),
  ...(['closeByClient', 'assign', 'unassign', 'move', 'priority', 'tag', 'trash', 'restore', 'purge'] as const),
  ...(['merge', 'unmerge', 'undo', 'undo', 'split', 'unsplit', 'rate', 'rate', 'priority'] as const)
]
export const action = fc.record({
  kind: fc.constantFrom(...kinds),
  by: fc.nat(1),
  ticket: fc.nat(40),
  other: fc.nat(40),
  // Each move of the clock has all that falls due happen, which takes most of the time.
  minutes: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(60), fc.nat(2_000))
})
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

/** What every history begins with: late promises, one of them lifted, an answer, a closing, a bad rating and a reopening. */
export const begun: Action[] = [
  ...[0, 1, 0, 1, 0, 1, 0, 1].map(
    (by, at) => ({ kind: 'open', by, ticket: 0, other: 0, minutes: at % 2 ? 0 : 1_000 }) as const
  ),
  { kind: 'priority', by: 0, ticket: 0, other: 0, minutes: 10 },
  { kind: 'reply', by: 0, ticket: 2, other: 0, minutes: 10 },
  { kind: 'close', by: 0, ticket: 2, other: 0, minutes: 0 },
  { kind: 'rate', by: 0, ticket: 2, other: 0, minutes: 70 },
  { kind: 'reopen', by: 0, ticket: 2, other: 0, minutes: 10 }
]

function daily() {
  return Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, [['00:00', '24:00']]]))
}

/** So short for what is urgent that another priority makes late promises kept. */
function promises(calendar_id: number) {
  const minutes = { Low: 9_000, Medium: 3_000, High: 300, Critical: 60 }
  return ['first_response', 'next_response', 'resolution'].flatMap(metric =>
    Object.entries(minutes).map(([priority, minutes]) => ({ metric, priority, minutes, calendar_id }))
  )
}

/** A desk with short promises and ratings, and what does the actions of a history there. */
export async function bootHistories() {
  let now = new Date('2026-03-01T12:00:00Z')
  const desk = await bootDesk({ connections: 4, config: { TEST_CLOCK: true } })
  const admin = await anAdmin(desk)
  const staff = [admin, await anAdmin(desk)]
  const clients = [await aClient(desk, { is_email_verified: true }), await aClient(desk, { is_email_verified: true })]
  await setClock()
  const always = await aCalendar(desk, { time_zone: 'UTC', hours: daily() })
  await aPolicy(desk, admin, always, { targets: promises(always.id) })
  await desk.post('/api/admin/settings/update', admin, { csat_enabled: 1, csat_delay_minutes: 60 })

  /** All that falls due until then happens: clocks are late, clients are asked for ratings. */
  async function setClock(): Promise<void> {
    const reply = await desk.post('/api/test/clock', admin, { now: now.toISOString() })
    assert.equal(reply.status, 200, reply.body.message)
  }
  const tags = [await aTag('red'), await aTag('blue')]

  async function aTag(name: string): Promise<string> {
    const reply = await desk.post('/api/admin/tags/create', admin, { name })
    assert.equal(reply.status, 201, reply.body.message)
    return name
  }

  /** Does what it can of it: what is refused does not happen. */
  async function act(ids: number[], { kind, by, ticket, other, minutes }: Action): Promise<void> {
    now = new Date(now.getTime() + minutes * 60_000)
    if (minutes > 0) await setClock()
    const id = ids[ticket % Math.max(1, ids.length)]
    const person = staff[by]!
    const post = async (name: string, body: object) =>
      await desk.post(`/api/admin/tickets/${name}`, person, { id, ...body })
    const owner = async () => {
      const row = await desk.db.selectFrom('tickets').where('id', '=', id!).select('client_id').executeTakeFirst()
      return clients.find(client => client.id === row?.client_id)
    }
    if (kind === 'open') {
      ids.push((await aTicket(desk, clients[by]!)).ticket_id)
      return
    }
    if (kind === 'openByStaff') {
      const opening = { client_id: clients[by]!.id, department_id: 1, subject: 'Noted', message: 'Hello' }
      ids.push((await desk.post('/api/admin/tickets/create', person, opening)).data.ticket_id)
      return
    }
    if (id === undefined) return
    const client = await owner()
    const asClient = async (name: string, body: object, by: Person | undefined) =>
      by && (await desk.post(`/api/tickets/${name}`, by, { id, ...body }))
    switch (kind) {
      case 'write':
        return void (await asClient('reply', { message: 'More' }, client))
      case 'closeByClient':
        return void (await asClient('status', { status: 'Closed' }, client))
      case 'reply':
        return void (await post('reply', { message: 'Here' }))
      case 'close':
        return void (await post('status', { status: 'Closed' }))
      case 'reopen':
        return void (await post('status', { status: 'In Progress' }))
      case 'assign':
        return void (await post('assign', { assigned_staff_id: staff[other % 2]!.id }))
      case 'unassign':
        return void (await post('assign', { assigned_staff_id: null }))
      case 'move':
        return void (await post('update', { department_id: 1 + (other % 3) }))
      case 'priority':
        return void (await post('update', { priority: other % 2 ? 'High' : 'Low' }))
      case 'tag':
        return void (await post('tags', { tags: tags.slice(0, other % 3) }))
      case 'trash':
        return void (await post('delete', {}))
      case 'restore':
        return void (await post('restore', {}))
      case 'purge': {
        const row = await desk.db.selectFrom('tickets').where('id', '=', id).select('ticket_number').executeTakeFirst()
        return void (await post('purge', { ticket_number: row?.ticket_number ?? 'TKT-000000' }))
      }
      case 'merge':
        return void (await post('merge', { into_id: ids[other % ids.length] }))
      case 'unmerge':
        return void (await post('unmerge', {}))
      case 'undo':
        return void (await post('undo', {}))
      case 'split': {
        const messages = await desk.db
          .selectFrom('ticket_messages')
          .where('ticket_id', '=', id)
          .select('id')
          .orderBy('id')
          .execute()
        const chosen = messages.slice(1 + (other % 2)).map(message => message.id)
        const made = await post('split', { message_ids: chosen, subject: 'Another' })
        if (made.status === 201) ids.push(made.data.ticket_id)
        return
      }
      case 'unsplit':
        return void (await post('unsplit', {}))
      case 'rate':
        return void (await asClient('rate', { rating: other % 2 ? 'good' : 'bad' }, client))
    }
  }

  return { desk, admin, clients, act }
}
