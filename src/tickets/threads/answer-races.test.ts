import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 10 })
const ada = await aClient(desk)
const agents = [
  await anAdmin(desk),
  await aSupporter(desk, 'tickets.view_all', 'tickets.reply'),
  await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
]

test('of agents who answer the same message at once one does, and the others have the answer in hand', async () => {
  for (let round = 0; round < 5; round++) {
    const { ticket_id: id } = await aTicket(desk, ada)
    const { data: seen } = await desk.post('/api/admin/tickets/detail', agents[0], { id })
    const last_seen_message_id = seen.last_message_id

    const replies = await Promise.all(
      agents.map((agent, at) =>
        desk.post('/api/admin/tickets/reply', agent, { id, message: `From ${at}`, last_seen_message_id })
      )
    )

    const winner = replies.find(({ status }) => status === 201)!.data
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 409, 409])
    for (const { data } of replies.filter(({ status }) => status === 409)) {
      const unseen = data.messages.map((each: { id: number; message: string }) => [each.id, each.message])
      assert.deepEqual(unseen, [[winner.message_id, winner.message]])
      assert.equal(data.last_message_id, winner.message_id)
    }
  }
})

test('an answer and the customer’s message at once: either it came first, or it is stopped with the message in hand', async () => {
  for (let round = 0; round < 8; round++) {
    const { ticket_id: id } = await aTicket(desk, ada)
    const { data: seen } = await desk.post('/api/admin/tickets/detail', agents[0], { id })
    const answer = { id, message: 'Try water.', last_seen_message_id: seen.last_message_id }

    const [written, answered] = await Promise.all([
      desk.post('/api/tickets/reply', ada, { id, message: 'Never mind.' }),
      desk.post('/api/admin/tickets/reply', agents[0], answer)
    ])

    assert.equal(written.status, 201)
    if (answered.status === 201) assert.ok(answered.data.message_id < written.data.message_id)
    else assert.deepEqual([answered.status, answered.data.last_message_id], [409, written.data.message_id])
  }
})
