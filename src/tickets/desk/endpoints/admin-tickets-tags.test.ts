import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aTicket, auditedActions, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const ids = new Map<string, number>()
for (const name of ['Urgent', 'phone', '2026']) {
  const { id } = await desk.db.insertInto('tags').values({ name }).returning('id').executeTakeFirstOrThrow()
  ids.set(name, id)
}

function names(ticket: { tags: { name: string }[] }): string[] {
  return ticket.tags.map(({ name }) => name)
}

test('tags are set as a whole, added and removed, by id or by name in any case, in each encoding', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const steps: [object, string[], ('json' | 'form' | 'multipart')?][] = [
    [{ tags: ['URGENT', ids.get('phone')] }, ['phone', 'Urgent']],
    [{ add: ['2026'] }, ['2026', 'phone', 'Urgent']],
    [{ remove: ['phone'], add: ['phone'] }, ['2026', 'Urgent']],
    [{ tags: [] }, []],
    [{ add: ['phone', '2026'] }, ['2026', 'phone'], 'form'],
    [{ tags: [String(ids.get('Urgent'))] }, ['Urgent'], 'multipart'],
    [{ tags: ['Urgent'], add: ['Urgent', ids.get('Urgent')] }, ['Urgent']]
  ]

  for (const [change, expected, encoding] of steps) {
    const { status, data, body } = await desk.post('/api/admin/tickets/tags', grace, { id, ...change }, encoding)

    assert.equal(status, 200, body.message)
    assert.deepEqual(names(data.ticket), expected, JSON.stringify(change))
  }
})

test('a change of tags raises the version, not the time of update, and is recorded by names; none is no change', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await ticketRow(desk, id)

  const changed = await desk.post(`/api/admin/tickets/${id}/tags`, grace, { add: ['urgent'], expected_version: 1 })
  const same = await desk.post(`/api/admin/tickets/${id}/tags`, grace, { add: ['urgent'], expected_version: 2 })
  const stale = await desk.post(`/api/admin/tickets/${id}/tags`, grace, { tags: [], expected_version: 1 })

  assert.deepEqual([changed.data.ticket.version, same.data.ticket.version, stale.status], [2, 2, 409])
  assert.deepEqual((await ticketRow(desk, id)).updated_at, before.updated_at)
  assert.deepEqual((await timeline(desk, id)).slice(1), [['ticket.tagged', { tags: [] }, { tags: ['Urgent'] }]])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.tagged'])
})

test('unknown tags are named, and saying nothing is refused', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)

  const unknown = await desk.post('/api/admin/tickets/tags', grace, { id, tags: ['urgent'], add: ['never', 999_999] })
  const nothing = await desk.post('/api/admin/tickets/tags', grace, { id })

  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['add']])
  assert.match(unknown.body.message, /never, 999999/)
  assert.deepEqual([nothing.status, nothing.body.errors], [400, ['tags']])
  assert.equal((await ticketRow(desk, id)).version, 1)
})
