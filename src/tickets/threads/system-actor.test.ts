import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { assign, aTicket, ticketRow } from '../../../test/support/tickets.ts'
import { system } from '../../core/actor.ts'
import { assignTicket } from '../desk/assign-ticket.ts'
import { setQueueStatus, setStatus } from '../desk/set-status.ts'
import { restoreTicket, trashTicket } from '../desk/trash.ts'
import { updateTicket } from '../desk/update-ticket.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { replyToTicket } from './reply-to-ticket.ts'
import { writeNote } from './write-note.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.reply')
const caller = { ip: null, requestId: 'job-1' }

async function eventsOf(ticket: number) {
  const events = desk.db.selectFrom('events').where('ticket_id', '=', ticket).where('kind', '<>', 'ticket.created')
  return await events.select(['kind', 'actor_type', 'actor_id', 'actor_name']).orderBy('id').execute()
}

test('the system handles whatever ticket there is by the verbs of staff, under its own name', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await assign(desk, id, grace.id)
  const change = { actor: system, caller, ref: id, expectedVersion: undefined }

  await setQueueStatus(desk.services, change, 'In Progress')
  await updateTicket(desk.services, change, { priority: 'High' })
  await assignTicket(desk.services, change, { staffId: null, force: false })
  await writeNote(desk.services, system, caller, id, { note: 'Nobody has looked for a day.' }, [])
  await replyToTicket(desk.services, system, caller, id, { message: 'We are on it.', files: [] })
  await setStatus(desk.services, { actor: system, caller, ref: id }, 'Closed')

  const { status, priority, assigned_staff_id } = await ticketRow(desk, id)
  assert.deepEqual([status, priority, assigned_staff_id], ['Closed', 'High', null])
  const kinds = ['status_changed', 'updated', 'assigned', 'noted', 'replied', 'status_changed']
  const own = { actor_type: 'system', actor_id: null, actor_name: 'Deskline' }
  assert.deepEqual(
    await eventsOf(id),
    kinds.map(kind => ({ kind: `ticket.${kind}`, ...own }))
  )
  const { data } = await desk.post('/api/tickets/detail', ada, { id })
  assert.equal(JSON.stringify(data).includes('We are on it.'), true)
})

test('what it writes for somebody is theirs, and leaves the status where that is wanted', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const author = { population: 'client', id: null, firstName: 'Bob', lastName: 'Byron' } as const

  const reply = { message: 'I am out of office.', files: [], author }
  const { status } = await replyToTicket(desk.services, system, caller, id, { ...reply, status: null })
  const { status: reopened } = await replyToTicket(desk.services, system, caller, id, reply)

  assert.deepEqual([status, reopened], ['Open', 'Customer-Reply'])
  const bob = { kind: 'ticket.replied', actor_type: 'client', actor_id: null, actor_name: 'Bob Byron' }
  assert.deepEqual(await eventsOf(id), [bob, bob])
})

test('what lies in the trash is not there for the system either, until it brings it back', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const change = { actor: system, caller, ref: id, expectedVersion: undefined }
  const reply = () => replyToTicket(desk.services, system, caller, id, { message: 'Hello?', files: [] })
  await trashTicket(desk.services, change)

  await assert.rejects(reply, { kind: TicketNotFound })
  await restoreTicket(desk.services, change)

  assert.equal((await reply()).status, 'Answered')
})
