import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import {
  aFile,
  aTicket,
  auditedActions,
  form,
  storedFiles,
  ticketRow,
  timeline
} from '../../../../test/support/tickets.ts'
import { ticketCountOf } from '../../ticket/client-ticket-counts.ts'

const desk = await bootDesk()
const [remover, admin] = [await aSupporter(desk, 'tickets.view_all', 'tickets.delete'), await anAdmin(desk)]

async function ticketCount(clientId: number): Promise<number> {
  return (await ticketCountOf(desk.db, clientId).executeTakeFirstOrThrow()).total
}

test('a ticket in the trash is none for its client, in no list and no count, and takes nothing in', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id, ticket_number, attachments } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  const counts = (await desk.post('/api/admin/tickets/counts', admin)).data

  const deleted = await desk.post('/api/admin/tickets/delete', remover, { id, expected_version: 1 })

  assert.deepEqual([deleted.status, deleted.data], [200, { deleted_id: id, ticket_number }])
  const list = (await desk.post('/api/tickets/list', ada)).data
  assert.deepEqual([list.count, list.total, await ticketCount(ada.id)], [0, 0, 0])
  const refused = [
    await desk.post('/api/tickets/detail', ada, { id }),
    await desk.post('/api/tickets/reply', ada, form({ id, message: 'Hello?' }, aFile('b.txt'))),
    await desk.post('/api/tickets/status', ada, { id, status: 'Open' }),
    await desk.post('/api/admin/tickets/reply', admin, { id, message: 'Hello?' }),
    await desk.post('/api/admin/tickets/status', admin, { id, status: 'Open' }),
    await desk.post('/api/admin/tickets/delete', remover, { id })
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 404)
  )
  const headers = { authorization: `Bearer ${ada.token}` }
  assert.equal((await fetch(desk.url + attachments[0].file_path, { headers })).status, 404)
  assert.equal((await desk.post('/api/admin/tickets/counts', admin)).data.open, counts.open - 1)
  assert.deepEqual(await auditedActions(desk, id), ['ticket.deleted'])
})

test('restored, it is as it was', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await ticketRow(desk, id)
  await desk.post(`/api/admin/tickets/${id}/delete`, remover)

  const restored = await desk.post(`/api/admin/tickets/${id}/restore`, remover)
  const twice = await desk.post(`/api/admin/tickets/${id}/restore`, remover)

  assert.deepEqual([restored.status, restored.data.ticket.trashed_at, twice.status], [200, null, 404])
  assert.deepEqual(await ticketRow(desk, id), { ...before, version: 3 })
  assert.equal((await desk.post('/api/tickets/detail', ada, { id })).status, 200)
  assert.deepEqual([(await desk.post('/api/tickets/list', ada)).data.total, await ticketCount(ada.id)], [1, 1])
  assert.deepEqual(
    (await timeline(desk, id)).map(([kind]) => kind),
    ['ticket.created', 'ticket.deleted', 'ticket.restored']
  )
})

test('purging takes the rows and the files away for good, and leaves the audit row', async () => {
  const ada = await aClient(desk)
  const files = (await storedFiles(desk)).length
  const before = await desk.rowCounts()
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, {}, [aFile('a.txt'), aFile('b.txt')])
  await desk.post('/api/admin/tickets/update', admin, { id, subject: 'Smoke' })
  await desk.post('/api/admin/tickets/delete', remover, { id })

  const body = { ticket_number: ticket_number.toLowerCase() }
  const purged = await desk.post(`/api/admin/tickets/${id}/purge`, admin, body)

  const answer = { purged_id: id, ticket_number, merged_sources: [], files: 2 }
  assert.deepEqual([purged.status, purged.data], [200, answer])
  assert.equal((await storedFiles(desk)).length, files)
  const after = await desk.rowCounts()
  const logs = { audit_log: 0, audit_head: 0, events: 0, event_places: 0, client_ticket_changes: 0 }
  assert.deepEqual({ ...after, ...logs }, { ...before, ...logs })
  // The events stay, with ids but without texts.
  const events = await desk.db.selectFrom('events').where('ticket_id', '=', id).selectAll().orderBy('id').execute()
  assert.deepEqual(
    events.map(({ kind, client_id }) => [kind, client_id]),
    ['ticket.created', 'ticket.updated', 'ticket.deleted', 'ticket.purged'].map(kind => [kind, ada.id])
  )
  assert.doesNotMatch(JSON.stringify(events), /Smoke|Ada/)
  assert.equal(await ticketCount(ada.id), 0)
  assert.equal((await auditedActions(desk, id)).at(-1), 'ticket.purged')
  assert.equal((await desk.post('/api/admin/tickets/restore', admin, { id })).status, 404)
})

test('only what lies in the trash is purged, and every refusal names what was merged into it', async () => {
  const ada = await aClient(desk)
  const [target, source] = [await aTicket(desk, ada), await aTicket(desk, ada, {}, [aFile('a.txt')])]
  const { ticket_id: id, ticket_number } = target
  await desk.post('/api/admin/tickets/merge', admin, { id: source.ticket_id, into_id: id })
  const merged_sources = [{ id: source.ticket_id, ticket_number: source.ticket_number }]
  const before = [await desk.rowCounts(), await storedFiles(desk), await ticketRow(desk, id)]

  const early = await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number })
  const unchanged = [await desk.rowCounts(), await storedFiles(desk), await ticketRow(desk, id)]
  await desk.post('/api/admin/tickets/delete', admin, { id })
  const other = await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number: source.ticket_number })
  const purged = await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number })

  assert.deepEqual([early.status, early.data], [409, { merged_sources }])
  assert.deepEqual(unchanged, before)
  assert.deepEqual([other.status, other.body.errors, other.data], [400, ['ticket_number'], { merged_sources }])
  assert.deepEqual([purged.status, purged.data], [200, { purged_id: id, ticket_number, merged_sources, files: 1 }])
  const { before: logged } = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'ticket.purged')
    .where('target_id', '=', id)
    .select('before')
    .executeTakeFirstOrThrow()
  assert.deepEqual((logged as { merged_sources: object }).merged_sources, merged_sources)
})

test('another number, a stale version and a supporter purge nothing', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  const before = [await desk.rowCounts(), await storedFiles(desk), await ticketRow(desk, id)]

  const refused = [
    await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number: 'TIC-000000' }),
    await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number, expected_version: 4 }),
    await desk.post('/api/admin/tickets/purge', remover, { id, ticket_number })
  ]

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    [
      [400, ['ticket_number']],
      [409, ['expected_version']],
      [403, undefined]
    ]
  )
  assert.deepEqual([await desk.rowCounts(), await storedFiles(desk), await ticketRow(desk, id)], before)
})
