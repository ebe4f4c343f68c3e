import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { withoutAttemptLimits } from '../../../../test/support/routes.ts'
import { listen, type StreamListener } from '../../../../test/support/streams.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import { system } from '../../../core/actor.ts'
import { act as actAs } from '../../../core/acts/act.ts'

const desk = await bootDesk({ config: withoutAttemptLimits, connections: 4 })
const [ada, other, admin] = [await aClient(desk), await aClient(desk), await anAdmin(desk)]
const path = '/api/events/stream'

const act = async (action: string, body: object, by: Person = admin) => {
  const reply = await desk.post(`/api/admin/tickets/${action}`, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}
const told = (stream: StreamListener) => stream.told.map(({ event, data }) => [event, data.before, data.after])

test('a client is told of their own tickets: openings, replies, status and merges, and of nothing that staff keep to themselves', async () => {
  const stream = await listen(desk.url, { token: ada.token, path })
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const { ticket_id: id } = await aTicket(desk, ada)
  await aTicket(desk, other)
  const target = await aTicket(desk, ada)

  await act('note', { id, note: 'kanarienvogel' })
  await act('presence', { id, state: 'replying' })
  await act('assign', { id, assigned_staff_id: grace.id })
  await act('update', { id, priority: 'Critical' })
  await act('watch', { id })
  await act('reply', { id, message: 'Water?' }, grace)
  await act('merge', { id, into_id: target.ticket_id })
  await act('unmerge', { id })
  await desk.post('/api/tickets/status', ada, { id, status: 'Closed' })
  await stream.first(({ event }) => event === 'ticket.status_changed')

  const into = { id: target.ticket_id, ticket_number: target.ticket_number }
  const opened = { status: 'Open', priority: 'Medium', department_id: 1, sender_type: 'client' }
  const written = (at: number) => {
    const { message_id, received_at } = stream.told[at]!.data.after
    return { message_id, received_at }
  }
  assert.deepEqual(told(stream), [
    ['ticket.created', null, { ...opened, ...written(0) }],
    ['ticket.created', null, { ...opened, ...written(1) }],
    ['ticket.replied', { status: 'In Progress' }, { status: 'Answered', sender_type: 'support', ...written(2) }],
    ['ticket.merged', { status: 'Answered' }, { status: 'Closed', merged_into: into }],
    ['ticket.unmerged', { status: 'Closed', merged_into: into }, { status: 'Answered' }],
    ['ticket.status_changed', { status: 'Answered' }, { status: 'Closed' }]
  ])
  assert.deepEqual(stream.told[2]!.data.actor, { type: 'staff', id: null, name: 'Grace Hopper' })
  assert.deepEqual(stream.told[0]!.data.actor, { type: 'client', id: ada.id, name: 'Ada Lovelace' })
  assert.ok(stream.told.every(({ data }) => data.client_id === ada.id))
  assert.doesNotMatch(JSON.stringify(stream.told), /kanarienvogel|noted|presence|assigned/)

  const again = await listen(desk.url, { token: ada.token, path, body: { after: '0' } })
  await again.first(({ event }) => event === 'ticket.status_changed')
  assert.deepEqual(again.told, stream.told)
  again.close()
  stream.close()
})

test('staff are told what made the system act, in the feed and the stream, and clients are not', async () => {
  const { ticket_id: ticket } = await aTicket(desk, ada)
  const [forClient, forStaff] = [
    await listen(desk.url, { token: ada.token, path }),
    await listen(desk.url, { token: admin.token })
  ]
  const cause = { rule_id: 7, event_id: 4710, chain_id: 4709, depth: 1 }

  await actAs(desk.services, system, async act => {
    const [before, after] = [{ status: 'Open' as const }, { status: 'Answered' as const }]
    act.happened({ kind: 'ticket.status_changed', ticket, before, after, cause })
  })

  const isIt = ({ event }: { event: string }) => event === 'ticket.status_changed'
  const [toClient, toStaff] = [await forClient.first(isIt), await forStaff.first(isIt)]
  const { data } = await desk.post('/api/admin/events/list', admin, {
    kinds: ['ticket.status_changed'],
    ticket_id: ticket
  })
  assert.deepEqual([toStaff.data.cause, data.events[0].cause], [cause, cause])
  assert.deepEqual([toClient.data.after, 'cause' in toClient.data], [{ status: 'Answered' }, false])
  const { data: others } = await desk.post('/api/admin/events/list', admin, {
    kinds: ['ticket.created'],
    ticket_id: ticket
  })
  assert.equal('cause' in others.events[0], false)
  forClient.close()
  forStaff.close()
})

test('it ends when the client signs out everywhere, and is no door for staff or strangers', async () => {
  const client = await aClient(desk)
  const stream = await listen(desk.url, { token: client.token, path })

  await desk.post('/api/auth/logout', client)

  assert.equal(await stream.ended, 'ended')
  assert.equal((await listen(desk.url, { token: admin.token, path })).status, 403)
  assert.equal((await listen(desk.url, { token: 'nonsense', path })).status, 401)
  assert.equal((await listen(desk.url, { token: ada.token })).status, 403)
})

test('a ticket in the trash is silent', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const stream = await listen(desk.url, { token: ada.token, path })

  await act('delete', { id })
  await act('restore', { id })
  await act('status', { id, status: 'Closed' })
  await stream.first(({ event }) => event === 'ticket.status_changed')

  assert.deepEqual(
    stream.told.map(({ event }) => event),
    ['ticket.status_changed']
  )
  stream.close()
})
