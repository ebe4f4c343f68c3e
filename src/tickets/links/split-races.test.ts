import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aThread } from '../../../test/support/threads.ts'
import { ticketCountsAreRight } from '../../../test/support/ticket-counts.ts'
import { aFile, aTicket, form } from '../../../test/support/tickets.ts'
import { ticketCountOf } from '../ticket/client-ticket-counts.ts'

const desk = await bootDesk({ connections: 10 })
const [ada, bob, admin] = [await aClient(desk), await aClient(desk), await anAdmin(desk)]

const post = (action: string, body: object) => desk.post(`/api/admin/tickets/${action}`, admin, body)
const split = (id: number, message_ids: number[], given: object = {}) =>
  post('split', { id, message_ids, subject: 'Other', ...given })
const messagesIn = async (id: number) =>
  (await desk.db.selectFrom('ticket_messages').where('ticket_id', '=', id).select('id').orderBy('id').execute()).map(
    row => row.id
  )
const rounds = 10

/** The counts of tickets, and those of tickets by status and client, agree with the rows. */
async function countsAgree() {
  const tickets = await desk.db.selectFrom('tickets').selectAll().execute()
  for (const { id, message_count, attachment_count } of tickets) {
    const parts = tickets.filter(part => part.id === id || part.merged_into_id === id).map(part => part.id)
    const count = async (table: 'ticket_messages' | 'ticket_attachments') =>
      (await desk.db.selectFrom(table).where('ticket_id', 'in', parts).select('id').execute()).length
    const held = [await count('ticket_messages'), await count('ticket_attachments')]
    assert.deepEqual([message_count, attachment_count], held, `ticket ${id}`)
  }
  await ticketCountsAreRight(desk.db)
  for (const { id } of [ada, bob]) {
    const { total } = await ticketCountOf(desk.db, id).executeTakeFirstOrThrow()
    assert.equal(total, tickets.filter(({ client_id, trashed_at }) => client_id === id && !trashed_at).length)
  }
}

test('of two splits of the same message at once one wins, and the message is in its ticket', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, messages } = await aThread(desk, ada, admin, ['client', 'One.', aFile('one.txt')], ['client', 'Two.'])
    const [first, one, two] = messages as [number, number, number]

    const replies = await Promise.all([
      split(id, [one]),
      split(id, [one, two]),
      split(id, [two], { client_id: bob.id })
    ])

    const won = replies.filter(({ status }) => status === 201)
    assert.ok(won.length === 1 || won.length === 2, `${replies.map(({ status }) => status)}`)
    for (const { status } of replies) assert.ok(status === 201 || status === 400)
    const held = await Promise.all(won.map(({ data }) => messagesIn(data.ticket_id)))
    assert.deepEqual(
      [...held.flat(), ...(await messagesIn(id))].toSorted((a, b) => a - b),
      [first, one, two]
    )
  }
  await countsAgree()
})

test('a reply while the ticket is split arrives in it, and one to the new ticket keeps that', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, messages } = await aThread(desk, ada, admin, ['client', 'One.'])
    const body = { id, message: 'Meanwhile.' }

    const [made, ...replies] = await Promise.all([
      split(id, [messages[1]!]),
      desk.post('/api/tickets/reply', ada, body),
      desk.post('/api/tickets/reply', ada, form(body, aFile('a.txt'))),
      post('reply', { ...body, last_seen_message_id: messages[1]!, force: 1 })
    ])
    const target = made.data.ticket_id
    const [undone, reply] = await Promise.all([
      post('unsplit', { id: target }),
      desk.post('/api/tickets/reply', ada, { id: target, message: 'There.' })
    ])

    assert.deepEqual([made.status, ...replies.map(({ status }) => status)], [201, 201, 201, 201])
    assert.equal((await messagesIn(id)).length, undone.status === 200 ? 5 : 4)
    assert.ok([200, 409].includes(undone.status), undone.body.message)
    // Either the new ticket is gone, or the reply is in it.
    if (undone.status === 200) assert.ok([404, 409].includes(reply.status), `${reply.status}`)
    else assert.deepEqual([reply.status, (await messagesIn(target)).length], [201, 2])
  }
  await countsAgree()
})

test('a split and a merge at once: the one after the other, or refused, and nothing is lost', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, messages } = await aThread(desk, ada, admin, ['client', 'One.'])
    const { ticket_id: into_id } = await aTicket(desk, ada)

    const [made, merged] = await Promise.all([split(id, [messages[1]!]), post('merge', { id, into_id })])

    assert.equal(merged.status, 200)
    assert.ok(made.status === 201 || made.body.reason === 'ticket_merged', made.body.message)
    const held = made.status === 201 ? await messagesIn(made.data.ticket_id) : []
    assert.equal((await messagesIn(id)).length + held.length, 2)
  }
  await countsAgree()
})

test('of several who undo a split at once one does it, and the others find no such ticket', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, messages } = await aThread(desk, ada, admin, ['client', 'One.'])
    const { ticket_id: target } = (await split(id, [messages[1]!])).data

    const replies = await Promise.all([
      post('unsplit', { id: target }),
      post('unsplit', { id: target }),
      post('undo', { id }),
      post('delete', { id: target })
    ])

    const statuses = replies.map(({ status }) => status)
    assert.ok(
      statuses.every(status => status === 200 || status === 404 || status === 409),
      `${statuses}`
    )
    assert.equal(statuses.filter(status => status === 200).length, 1, `${statuses}`)
  }
  await countsAgree()
})
