import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aScanScript, eicar } from '../../../../test/support/scanners.ts'
import {
  aFile,
  aTicket,
  auditedActions,
  form,
  storedFiles,
  ticketRow,
  timeline
} from '../../../../test/support/tickets.ts'
import { commandScanner } from '../../../platform/scanner/command.ts'
import { sweepUploads } from '../../attachments/sweep-uploads.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')

test('a note is shown to staff, kept as sent, recorded without its words, and no update of the ticket', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)
  const before = await ticketRow(desk, id)

  const { status, data } = await desk.post(`/api/admin/tickets/${ticket_number}/note`, grace, { note: ' A canary.\n' })

  assert.deepEqual(
    [status, data.note.note, data.note.ticket_id, data.note.author.id],
    [201, ' A canary.\n', id, grace.id]
  )
  assert.deepEqual((await desk.post('/api/admin/tickets/detail', grace, { id })).data.notes, [data.note])
  assert.deepEqual(await ticketRow(desk, id), before)
  assert.deepEqual((await timeline(desk, id)).at(-1), ['ticket.noted', null, { note_id: data.note.id }])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.noted'])
  assert.doesNotMatch(JSON.stringify((await desk.post('/api/tickets/detail', ada, { id })).body), /canary/)
})

test('a note waits for nobody’s version unless one is expected', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await desk.rowCounts()

  const stale = await desk.post('/api/admin/tickets/note', grace, { id, note: 'Old.', expected_version: 9 })

  assert.deepEqual([stale.status, stale.data], [409, { current_version: 1 }])
  assert.deepEqual(await desk.rowCounts(), before)
  const fresh = await desk.post('/api/admin/tickets/note', grace, { id, note: 'New.', expected_version: 1 })
  assert.equal(fresh.status, 201)
})

test('a note takes files, which its answer and the detail show; what the client is shown of the ticket stays', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, {}, [aFile('theirs.txt')])
  const [before, shown] = [await ticketRow(desk, id), (await desk.post('/api/tickets/detail', ada, { id })).data]

  const body = form({ id, note: 'See the logs.' }, aFile('one.txt', 'one'), aFile('two.txt', 'two'))
  const { status, data } = await desk.post('/api/admin/tickets/note', grace, body)

  assert.equal(status, 201)
  assert.deepEqual(
    data.note.attachments.map((file: { file_name: string; file_size: number }) => [file.file_name, file.file_size]),
    [
      ['one.txt', 3],
      ['two.txt', 3]
    ]
  )
  const detail = (await desk.post('/api/admin/tickets/detail', grace, { id })).data
  assert.deepEqual([detail.notes, detail.messages[0].attachments.length], [[data.note], 1])
  assert.deepEqual(await ticketRow(desk, id), before)
  assert.deepEqual((await desk.post('/api/tickets/detail', ada, { id })).data, shown)
  const file = await fetch(desk.url + data.note.attachments[0].file_path, {
    headers: { authorization: `Bearer ${grace.token}` }
  })
  assert.deepEqual([file.status, await file.text()], [200, 'one'])
})

test('a refused note leaves no file behind', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = [await desk.rowCounts(), await storedFiles(desk)]

  const refused = [
    await desk.post('/api/admin/tickets/note', grace, form({ id, note: 'x', expected_version: 9 }, aFile('a.txt'))),
    await desk.post('/api/admin/tickets/note', grace, form({ id: 999_999, note: 'x' }, aFile('a.txt'))),
    await desk.post('/api/admin/tickets/note', grace, form({ id, note: 'x' }, aFile('a.txt'), aFile('a.exe')))
  ]

  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 404, 400]
  )
  assert.deepEqual([await desk.rowCounts(), await storedFiles(desk)], before)
})

test('the files of notes go with their ticket when it is purged, those of merged tickets too, and are no orphans before', async () => {
  const admin = await anAdmin(desk)
  const [one, other] = [await aTicket(desk, ada), await aTicket(desk, ada)]
  const files = await storedFiles(desk)
  for (const { ticket_id: id } of [one, other]) {
    assert.equal(
      (await desk.post('/api/admin/tickets/note', grace, form({ id, note: 'x' }, aFile('a.txt')))).status,
      201
    )
  }
  assert.equal((await sweepUploads(desk.services, { olderThanMilliseconds: 0 })).unknown, 0)
  assert.equal((await storedFiles(desk)).length, files.length + 2)

  const { ticket_id: id, ticket_number } = one
  await desk.post('/api/admin/tickets/merge', admin, { id: other.ticket_id, into_id: id })
  await desk.post('/api/admin/tickets/delete', admin, { id })
  const { data } = await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number })

  assert.equal(data.files, 2)
  assert.deepEqual(await storedFiles(desk), files)
})

test('where a scanner looks into files, it looks into those of notes before anybody gets them', async () => {
  const script = await aScanScript()
  after(script.remove)
  const scanner = commandScanner({
    command: script.command,
    timeoutSeconds: 60,
    environment: { PATH: process.env.PATH }
  })
  const own = await bootDesk({ services: { scanner } })
  const [client, admin] = [await aClient(own), await anAdmin(own)]
  const { ticket_id: id } = await aTicket(own, client)
  const { data } = await own.post('/api/admin/tickets/note', admin, form({ id, note: 'x' }, aFile('a.txt', eicar)))
  const [{ file_path }] = data.note.attachments
  const fetched = () => fetch(own.url + file_path, { headers: { authorization: `Bearer ${admin.token}` } })

  const before = await fetched()
  await own.deliver()

  assert.deepEqual([before.status, (await fetched()).status], [503, 410])
})
