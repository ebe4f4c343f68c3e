import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aFile, aTicket, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const rights = ['tickets.view_all', 'tickets.edit_status', 'tickets.reply'] as const
const [lead, grace] = [await aSupporter(desk, ...rights), await aSupporter(desk, ...rights)]
const ada = await aClient(desk)

async function act(action: string, body: object, by = lead) {
  const reply = await desk.post(`/api/admin/tickets/${action}`, by, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}

/** The merge target, status, message count and attachment count of each ticket. */
async function statesOf(ids: number[]) {
  const rows = await Promise.all(ids.map(id => ticketRow(desk, id)))
  return rows.map(row => [row.merged_into_id, row.status, row.message_count, row.attachment_count])
}

async function severalTickets(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at++) ids.push((await aTicket(desk, ada, {}, [aFile('a.txt')])).ticket_id)
  return ids
}

test('a chain of merges is taken apart link by link, and after each the tickets are as they were before it', async () => {
  const ids = await severalTickets(5)
  const [a, b, c, d, beside] = ids as [number, number, number, number, number]
  const merges = [
    { id: a, into_id: b },
    { id: b, into_id: c },
    { id: beside, into_id: c },
    { id: c, into_id: d }
  ]
  const states = []
  for (const merge of merges) {
    states.push(await statesOf(ids))
    await act('merge', merge)
  }

  for (const { id } of merges.toReversed()) {
    const { formerly_in } = await act('unmerge', { id })

    assert.deepEqual(await statesOf(ids), states.pop())
    assert.equal(formerly_in.id, merges.find(merge => merge.id === id)!.into_id)
  }
  const moves = (await timeline(desk, a)).filter(([kind]) => kind === 'ticket.merge_moved')
  assert.deepEqual(
    moves.map(([, before, after]) => [idIn(before), idIn(after)]),
    [
      [b, c],
      [c, d],
      [d, c],
      [c, b]
    ]
  )
})

test('what was taken out by itself does not come along, and what was merged anew stays where it was merged', async () => {
  const [a, b, c] = (await severalTickets(3)) as [number, number, number]
  await act('merge', { id: a, into_id: b })
  await act('merge', { id: b, into_id: c })
  await act('unmerge', { id: a })
  await act('merge', { id: a, into_id: c })

  await act('unmerge', { id: b })

  assert.deepEqual(await statesOf([a, b, c]), [
    [c, 'Closed', 1, 1],
    [null, 'Open', 1, 1],
    [null, 'Open', 2, 2]
  ])
})

test('who watches a ticket watches the one that it was merged into, and after it was taken out again that one alone', async () => {
  const [source, target] = (await severalTickets(2)) as [number, number]
  await act('watch', { id: source }, grace)
  const watchers = async (id: number) =>
    (await act('detail', { id })).watchers.map((watcher: { id: number }) => watcher.id)
  const emailsToGrace = async () => {
    desk.clock.turn(3600)
    return (await desk.deliver()).emails.filter(mail => mail.to === grace.email).length
  }
  await emailsToGrace()

  await act('merge', { id: source, into_id: target })
  const merged = await watchers(target)
  await desk.post('/api/tickets/reply', ada, { id: target, message: 'Hello?' })
  const whileMerged = await emailsToGrace()
  await act('unmerge', { id: source })
  await desk.post('/api/tickets/reply', ada, { id: target, message: 'Hello?' })
  const afterwards = await emailsToGrace()

  assert.deepEqual([merged, await watchers(target), await watchers(source)], [[grace.id], [], [grace.id]])
  assert.deepEqual([whileMerged, afterwards], [1, 1])
})

test('who ceases to watch the target watches nothing of it any more', async () => {
  const [source, target] = (await severalTickets(2)) as [number, number]
  await act('watch', { id: source }, grace)
  await act('merge', { id: source, into_id: target })

  await act('watch', { id: target, watching: 0 }, grace)
  await act('unmerge', { id: source })

  assert.deepEqual((await act('detail', { id: source })).watchers, [])
})

function idIn(facts: unknown): number {
  return (facts as { merged_into: { id: number } }).merged_into.id
}
