import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 6 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

const opened = async () => ({ id: (await aTicket(desk, ada)).ticket_id as number })
const post = (action: string, body: object) => desk.post(`/api/admin/tickets/${action}`, admin, body)
const link = (id: number, other_id: number, kind: string) => post('link', { id, other_id, kind })
async function linked(...given: Parameters<typeof link>) {
  const reply = await link(...given)
  assert.equal(reply.status, 200, reply.body.message)
}

test('L2, L3: a merge that would close a circle of blocking tickets is refused, and nothing of it stays', async () => {
  const [source, between, further, target] = [await opened(), await opened(), await opened(), await opened()]
  await linked(source.id, between.id, 'blocks')
  await linked(between.id, further.id, 'blocks')
  await linked(further.id, target.id, 'blocks')
  await linked(source.id, target.id, 'blocks')
  const before = await desk.rowCounts()

  const refused = [
    await post('merge', { id: source.id, into_id: target.id }),
    await post('merge', { id: target.id, into_id: source.id })
  ]

  for (const reply of refused) {
    assert.deepEqual([reply.status, reply.body.reason, reply.body.errors], [409, 'merge_refused', ['into_id']])
  }
  assert.deepEqual(await desk.rowCounts(), before)
  await post('unlink', { id: further.id, other_id: target.id, kind: 'blocks' })
  assert.equal((await post('merge', { id: source.id, into_id: target.id })).status, 200)
  const { links } = (await post('detail', { id: target.id })).data
  assert.deepEqual(
    links.map(({ direction, ticket }: { direction: string; ticket: { id: number } }) => [direction, ticket.id]),
    [['out', between.id]]
  )
})

test('L2, L3: of a merge and a link that are made at once and would close a circle together one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const [source, between, target] = [await opened(), await opened(), await opened()]
    await linked(source.id, between.id, 'blocks')

    const replies = await Promise.all([
      post('merge', { id: source.id, into_id: target.id }),
      link(between.id, target.id, 'blocks')
    ])

    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  }
})
