import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { slowReply } from '../../../test/support/slow-reply.ts'
import { aFile, aTicket, form, limitTo, storedFiles, ticketRow } from '../../../test/support/tickets.ts'
import { ticketCountOf } from '../ticket/client-ticket-counts.ts'

const desk = await bootDesk({ connections: 10 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

test('an upload to a ticket that is deleted or purged meanwhile is a 404, and its file is forgotten', async () => {
  for (const [path, person] of [['/api/tickets/reply', ada] as const, ['/api/admin/tickets/reply', admin] as const]) {
    for (const action of ['delete', 'purge']) {
      const { ticket_id: id, ticket_number } = await aTicket(desk, ada)
      const files = await storedFiles(desk)
      const { reply, finish } = await slowReply(desk, path, person, id)

      const deleted = await desk.post('/api/admin/tickets/delete', admin, { id })
      if (action === 'purge') await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number })
      finish()

      assert.deepEqual([deleted.status, (await reply).status], [200, 404])
      assert.deepEqual(await storedFiles(desk), files)
    }
  }
})

test('an upload to a ticket that leaves the sight of its writer meanwhile is a 404, and its file is forgotten', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  await limitTo(desk, grace.id, 1)
  const [files, { message_count }] = [await storedFiles(desk), await ticketRow(desk, id)]
  const { reply, finish } = await slowReply(desk, '/api/admin/tickets/reply', grace, id)

  await desk.post('/api/admin/tickets/update', admin, { id, department_id: 4 })
  finish()

  assert.equal((await reply).status, 404)
  assert.deepEqual(await storedFiles(desk), files)
  assert.equal((await ticketRow(desk, id)).message_count, message_count)
})

test('replies with files at the very time of a purge leave neither rows nor files, whoever comes first', async () => {
  const files = await storedFiles(desk)

  for (let round = 0; round < 8; round++) {
    const { ticket_id: id, ticket_number } = await aTicket(desk, ada, {}, [aFile('a.txt')])
    const reply = () => desk.post('/api/tickets/reply', ada, form({ id, message: 'More' }, aFile('b.txt')))
    const remove = async () => {
      await desk.post('/api/admin/tickets/delete', admin, { id })
      return await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number })
    }
    const [one, purged, two] = await Promise.all([reply(), remove(), reply()])

    assert.equal(purged.status, 200)
    for (const { status } of [one, two]) assert.ok(status === 201 || status === 404, `${status}`)
    assert.deepEqual(await storedFiles(desk), files)
  }
  const { attachments } = await counted()
  assert.equal(attachments, 0)
})

test('deleting and restoring at the same time leaves the ticket and the client’s count in one state', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)

  for (let round = 0; round < 5; round++) {
    await Promise.all(
      ['delete', 'restore', 'delete', 'restore', 'delete'].map(action =>
        desk.post(`/api/admin/tickets/${action}`, admin, { id })
      )
    )

    const { trashed_at } = await ticketRow(desk, id)
    const { listed, count } = await counted()
    assert.equal(listed, count)
    if (trashed_at) await desk.post('/api/admin/tickets/restore', admin, { id })
  }
})

async function counted() {
  const { total: count } = await ticketCountOf(desk.db, ada.id).executeTakeFirstOrThrow()
  const attachments = await desk.db.selectFrom('ticket_attachments').select('id').execute()
  const { data } = await desk.post('/api/tickets/list', ada)
  return { count, listed: data.count, attachments: attachments.length }
}
