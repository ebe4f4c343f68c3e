import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MergedRow, mergedTable, mergedVisitors } from '../src/operation/pages/authorization-merged.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './support/people.ts'
import { withoutAttemptLimits } from './support/routes.ts'
import { aFile, aTicket, limitTo, ticketRow, timeline } from './support/tickets.ts'

const desk = await bootDesk({ config: withoutAttemptLimits })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const departments = { both: [1, 4], source: [1], target: [4] }
const seers = new Map<string, Person>()
for (const visitor of mergedVisitors) {
  const person = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete')
  await limitTo(desk, person.id, ...departments[visitor])
  seers.set(visitor, person)
}

/** Two tickets of departments 1 and 4, the first merged into the second, and one more of department 1. */
async function aMergedPair() {
  const [source, target, other] = [
    await aTicket(desk, ada, { subject: 'Lamp' }, [aFile('lamp.txt')]),
    await aTicket(desk, ada, { subject: 'Whisper', message: 'Whisper it', department_id: 4 }, [aFile('quiet.txt')]),
    await aTicket(desk, ada)
  ]
  const ids = { id: source.ticket_id, into_id: target.ticket_id }
  assert.equal((await desk.post('/api/admin/tickets/merge', admin, ids)).status, 200)
  return { source, target, other }
}

type Pair = Awaited<ReturnType<typeof aMergedPair>>

function bodyOf({ named }: MergedRow, { source, target, other }: Pair): object {
  if (named === 'words of the target') return { query: 'Whisper', search: 'Whisper' }
  if (named !== 'the source') return { id: (named === 'a file of the source' ? source : target).attachments[0].id }
  const values = {
    message: 'Hello',
    note: 'Hello',
    status: 'Closed',
    priority: 'Low',
    assigned_staff_id: null,
    tags: [],
    kind: 'related',
    message_ids: [4711],
    subject: 'Other'
  }
  return { ...values, id: source.ticket_id, into_id: other.ticket_id, other_id: other.ticket_id }
}

async function stateOf(id: number) {
  return [await ticketRow(desk, id), await timeline(desk, id)]
}

test('who sees a ticket that was merged into one out of their sight reaches and learns nothing of that one', async () => {
  const faults: string[] = []

  for (const row of mergedTable) {
    for (const visitor of mergedVisitors) {
      const pair = await aMergedPair()
      const before = await stateOf(pair.target.ticket_id)
      const expected = row.cells[visitor]
      const { status, body } = await desk.post(row.path, seers.get(visitor)!, bodyOf(row, pair))

      const said = `${row.path} with ${row.named}, sees ${visitor}`
      if (expected === 'yes' ? status >= 300 : status !== expected) {
        faults.push(`${said}: ${expected} is said, ${status} was answered`)
      }
      if (visitor !== 'source') continue
      const secrets = [pair.target.ticket_number, `"id":${pair.target.ticket_id},`, 'Whisper it', 'quiet.txt']
      const told = secrets.filter(secret => JSON.stringify(body).includes(secret))
      if (told.length > 0) faults.push(`${said}: told of ${told}`)
      if (JSON.stringify(await stateOf(pair.target.ticket_id)) !== JSON.stringify(before)) {
        faults.push(`${said}: changed the target`)
      }
    }
  }

  assert.deepEqual(faults, [])
})

test('the events of a merged ticket name the other one to those alone who see it', async () => {
  const { source, target } = await aMergedPair()
  const named = { id: target.ticket_id, ticket_number: target.ticket_number }

  for (const [visitor, shown] of [['both', named] as const, ['source', null] as const]) {
    const { data } = await desk.post('/api/admin/tickets/detail', seers.get(visitor)!, { id: source.ticket_id })

    assert.deepEqual(data.events.at(-1).after, { status: 'Closed', merged_into: shown })
    assert.deepEqual([data.merged_into?.id, data.ticket.merged_into_id], [shown?.id, shown?.id ?? null])
  }
})

test('a refusal to work on a merged ticket says so without naming one that is out of sight, also in bulk', async () => {
  const { source } = await aMergedPair()
  const id = source.ticket_id
  const text = `${source.ticket_number} has been merged into a ticket that you do not see`

  const reply = await desk.post('/api/admin/tickets/reply', seers.get('source')!, { id, message: 'Hello' })
  const bulk = { ids: [id], action: 'priority', priority: 'Low' }
  const { data } = await desk.post('/api/admin/tickets/bulk', seers.get('source')!, bulk)

  assert.deepEqual([reply.status, reply.body.message, reply.data], [409, text, { merged_into: null }])
  assert.deepEqual([data.done, data.failed], [[], [{ id, reason: 'ticket_merged', message: text }]])
})

test('an answer by somebody whom the target has left writes nothing', async () => {
  const { source, target } = await aMergedPair()
  await desk.db.updateTable('tickets').set({ department_id: 5 }).where('id', '=', target.ticket_id).execute()

  const replies = [
    await desk.post('/api/tickets/reply', seers.get('both')!, { id: source.ticket_id, message: 'Hello' }),
    await desk.post('/api/admin/tickets/reply', seers.get('both')!, { id: source.ticket_id, message: 'Hello' })
  ]

  assert.deepEqual(
    replies.map(({ status }) => status),
    [404, 409]
  )
})
