import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, eve] = [await aClient(desk), await aClient(desk)]

test('a client finds their own tickets and messages, and those of nobody else', async () => {
  const { ticket_id, ticket_number } = await aTicket(desk, ada, { subject: 'Violin', message: 'My violins squeak.' })
  await aTicket(desk, eve, { subject: 'Violin', message: 'violin' })

  const { status, data } = await desk.post('/api/tickets/search', ada, { query: 'violin' })
  const { data: exact } = await desk.post('/api/tickets/search', eve, { query: ticket_number })

  assert.equal(status, 200)
  assert.deepEqual([data.count, data.total], [2, 2])
  const [ticket, message] = data.results
  assert.deepEqual(
    [ticket.kind, ticket.id, message.kind, message.snippet],
    ['ticket', ticket_id, 'message', 'My ⟦violins⟧ squeak.']
  )
  for (const result of data.results) {
    const fields = ['created_at', 'created_at_iso', 'id', 'kind', 'rank', 'snippet', 'ticket']
    assert.deepEqual(Object.keys(result).toSorted(), fields)
    assert.deepEqual(result.ticket, { id: ticket_id, ticket_number, subject: 'Violin', status: 'Open' })
  }
  assert.deepEqual(exact.results, [])
})

test('a note is never found by a client, whatever they look for', async () => {
  const { ticket_id } = await aTicket(desk, ada, { subject: 'Secret', message: 'nothing here' })
  const note = 'canary7791 is what staff think of nothing secret'
  const author = { author_first_name: 'Canaryfirst', author_last_name: 'Canarylast' }
  await desk.db
    .insertInto('ticket_notes')
    .values({ ticket_id, note, ...author })
    .execute()

  for (const query of [
    'canary7791',
    'canary',
    'canaryfirst',
    'staff think',
    'secret',
    'nothing',
    '"what staff"',
    'canary7791 OR secret'
  ]) {
    const { text, status } = await post(query)

    assert.equal(status, 200)
    assert.doesNotMatch(text, /canary7791|canaryfirst|canarylast|think/i)
    assert.doesNotMatch(text, /"kind":"(note|client)"/)
  }
})

test('what lies in the trash is not found', async () => {
  const { ticket_id } = await aTicket(desk, ada, { subject: 'Oboe', message: 'oboe' })
  await desk.db.updateTable('tickets').set({ trashed_at: new Date() }).where('id', '=', ticket_id).execute()

  const { data } = await desk.post('/api/tickets/search', ada, { query: 'oboe' })

  assert.deepEqual(data.results, [])
})

async function post(query: string) {
  const { status, data } = await desk.post('/api/tickets/search', ada, { query })
  return { status, text: JSON.stringify(data.results) }
}
