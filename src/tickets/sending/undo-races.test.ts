import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { untilLockWait } from '../../../test/support/lock-waits.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { assign, aTicket, ticketRow } from '../../../test/support/tickets.ts'
import { waitingReplies } from '../../../test/support/waiting-replies.ts'
import { sendDueReplies } from './send-waiting.ts'

const desk = await bootDesk({ connections: 8 })
const ada = await aClient(desk, { is_email_verified: true })
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const { send, aWaitingReply, undo, due, answers, detail } = await waitingReplies(desk, { ada, grace, admin })

test('of undo, "Send now" and the end of the window exactly one wins', async () => {
  for (let round = 0; round < 8; round++) {
    const { id, message_id } = await aWaitingReply()
    // The clock stands just before the end for the one, and at it for the other.
    const atEnd = new Date(desk.clock.now().getTime() + 60_000)
    const [undone, sent] = await Promise.all([
      undo({ id, message_id }),
      desk.post('/api/admin/tickets/reply/send', grace, { id, message_id }),
      sendDueReplies(desk.services, atEnd),
      sendDueReplies(desk.services, atEnd)
    ])
    const messages = (await answers(id)).length
    assert.equal(messages, undone.status === 200 ? 0 : 1)
    if (sent.status === 200) assert.equal(undone.status, 409)
  }
})

test('a message of the client in the window stops the reply and gives it back to its writer', async () => {
  const { id, message_id } = await aWaitingReply({ status: 'Closed' })

  await desk.post('/api/tickets/reply', ada, { id, message: 'It is out already.' })
  const [stopped] = (await detail(id)).waiting_replies
  await due()

  assert.deepEqual([stopped.state, stopped.message], ['stopped', 'Try water.'])
  assert.match(stopped.stopped_reason, /client has written/i)
  assert.deepEqual(await answers(id), ['It is out already.'])
  assert.equal((await ticketRow(desk, id)).status, 'Customer-Reply')
  assert.equal((await detail(id)).waiting_replies[0].state, 'stopped')
  const sent = await desk.post('/api/admin/tickets/reply/send', grace, { id, message_id })
  assert.deepEqual([sent.status, sent.body.reason], [409, 'reply_stopped'])
  const taken = await undo({ id, message_id })
  assert.deepEqual([taken.status, taken.data.reply.message], [200, 'Try water.'])
  assert.deepEqual((await detail(id)).waiting_replies, [])
})

test('a reply that is shown as stopped comes with the message that stopped it, also if that arrives meanwhile', async () => {
  const { id } = await aWaitingReply()

  let answer: ReturnType<typeof detail> | undefined
  await desk.db.transaction().execute(async trx => {
    await sql`lock table waiting_replies in access exclusive mode`.execute(trx)
    answer = detail(id)
    await untilLockWait(desk)
    await sql`insert into ticket_messages
        (ticket_id, sender_type, client_id, sender_first_name, sender_last_name, message, created_at)
      select ticket_id, sender_type, client_id, sender_first_name, sender_last_name, 'Meanwhile.', created_at from ticket_messages
      where ticket_id = ${id} and sender_type = 'client'`.execute(trx)
  })
  const { messages, waiting_replies } = await answer!

  assert.deepEqual([waiting_replies[0].state, messages.at(-1).message], ['stopped', 'Meanwhile.'])
})

test('a client and the end of the window at once: the reply goes before the message or not at all', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await aWaitingReply()
    const atEnd = new Date(desk.clock.now().getTime() + 60_000)
    await Promise.all([
      desk.post('/api/tickets/reply', ada, { id, message: 'From the client.' }),
      sendDueReplies(desk.services, atEnd)
    ])
    const { messages, ticket, waiting_replies } = await detail(id)
    const isStopped = waiting_replies.length === 1
    assert.equal(messages.length, isStopped ? 2 : 3)
    // Whoever was last has set the status.
    assert.equal(ticket.status, 'Customer-Reply')
  }
})

test('a writer who may not reply any more has nothing sent in their name', async () => {
  const leaving = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const { ticket_id: id } = await aTicket(desk, ada)
  await send({ id, message: 'Bye.', undo: 1 }, leaving)

  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', leaving.id).execute()
  await due()

  assert.deepEqual(await answers(id), [])
})

test('a ticket that goes to the trash in the window keeps its reply back', async () => {
  const { id } = await aWaitingReply()
  await desk.db.updateTable('tickets').set({ trashed_at: desk.clock.now() }).where('id', '=', id).execute()

  await due()

  assert.equal((await ticketRow(desk, id)).message_count, 1)
})

test('the reply of a ticket that was merged meanwhile goes to where its replies go now', async () => {
  const target = await aTicket(desk, ada)
  const { id } = await aWaitingReply()
  const merged = await desk.post('/api/admin/tickets/merge', admin, { id, into_id: target.ticket_id })
  assert.equal(merged.status, 200, merged.body.message)

  await due()

  assert.ok((await answers(target.ticket_id)).includes('Try water.'))
})

test('the key of a request that is repeated lets one reply wait', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await assign(desk, id, grace.id)
  const request = () =>
    fetch(`${desk.url}/api/admin/tickets/reply`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${grace.token}`,
        'idempotency-key': 'one-reply-that-waits'
      },
      body: JSON.stringify({ id, message: 'Once.', undo: 1 })
    }).then(async response => (await response.json()) as { data: { message_id: number } })

  const [one, other] = [await request(), await request()]
  await due()

  assert.equal(one.data.message_id, other.data.message_id)
  assert.deepEqual(await answers(id), ['Once.'])
})
