import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { exportArchive } from '../../../../test/support/export-archive.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aThread } from '../../../../test/support/threads.ts'
import { aFile, aTicket, auditedActions, limitTo, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 2 })
const proved = { is_email_verified: true }
const [ada, bob, admin] = [await aClient(desk, proved), await aClient(desk, proved), await anAdmin(desk)]

const post = (action: string, body: object, by: Person = admin) => desk.post(`/api/admin/tickets/${action}`, by, body)
const split = (id: number, message_ids: number[], given: object = {}, by: Person = admin) =>
  post('split', { id, message_ids, subject: 'The other matter', ...given }, by)
async function splitOff(...given: Parameters<typeof split>) {
  const reply = await split(...given)
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data as { ticket_id: number; ticket_number: string; source_id: number }
}
const detail = async (id: number, by: Person = admin) => (await post('detail', { id }, by)).data
const portal = (id: number, by: Person) => desk.post('/api/tickets/detail', by, { id })
const refusal = ({ status, body }: Awaited<ReturnType<typeof split>>) => [status, body.reason, body.errors ?? []]

test('L7: a split is undone until somebody writes in the new ticket, which is gone then with its number', async () => {
  const thread = await aThread(desk, ada, admin, ['client', 'More.'], ['note', 'A note.'])
  const made = await splitOff(thread.id, [thread.messages[1]!], { note_ids: thread.notes })
  await post('status', { id: made.ticket_id, status: 'Closed' })
  await post('update', { id: made.ticket_id, priority: 'High' })

  const undone = await post('unsplit', { id: made.ticket_number })
  const again = await post('unsplit', { id: made.ticket_id })
  const next = await aTicket(desk, ada)

  assert.deepEqual(
    [undone.status, undone.data.ticket.id, undone.data.unsplit_id, undone.data.ticket_number],
    [200, thread.id, made.ticket_id, made.ticket_number]
  )
  assert.deepEqual(
    [
      again.status,
      (await portal(made.ticket_id, ada)).status,
      (await post('detail', { id: made.ticket_number })).status
    ],
    [404, 404, 404]
  )
  assert.notEqual(next.ticket_number, made.ticket_number)
  const { messages, notes, links } = await detail(thread.id)
  assert.deepEqual([messages.length, notes.length, links], [2, 1, []])
  const [kind, before, after] = (await timeline(desk, thread.id)).at(-1)!
  assert.deepEqual([kind, before], ['ticket.unsplit', { ticket_id: made.ticket_id, ticket_number: made.ticket_number }])
  assert.deepEqual((after as { note_ids: number[] }).note_ids, thread.notes)
  assert.ok((await auditedActions(desk, made.ticket_id)).includes('ticket.created'))
  assert.ok((await auditedActions(desk, thread.id)).includes('ticket.unsplit'))
})

test('L7: a message, a note, a merge and a further split keep the new ticket', async () => {
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 60 })
  const writes: [string, (id: number, messages: number[]) => Promise<{ status: number }>][] = [
    ['a reply of the client', id => desk.post('/api/tickets/reply', ada, { id, message: 'More.' })],
    ['a reply of staff', id => desk.post('/api/tickets/reply', admin, { id, message: 'More.' })],
    ['a reply that waits', id => post('reply', { id, message: 'More.', undo: 1 })],
    ['a note', id => post('note', { id, note: 'Hm.' })],
    ['what is merged into it', async id => post('merge', { id: (await aTicket(desk, ada)).ticket_id, into_id: id })],
    ['a further split', (id, messages) => split(id, [messages[2]!])]
  ]

  for (const [name, write] of writes) {
    const { id, messages } = await aThread(desk, ada, admin, ['client', 'More.'], ['client', 'Still more.'])
    const made = await splitOff(id, messages.slice(1))
    assert.ok((await write(made.ticket_id, messages)).status < 300, name)
    const before = await desk.rowCounts()

    assert.deepEqual(
      [name, ...refusal(await post('unsplit', { id: made.ticket_id }))],
      [name, 409, 'written_since', []]
    )
    assert.deepEqual(await desk.rowCounts(), before)
  }
})

test('L7: what was never split, is merged or in the trash, or comes from a ticket beyond sight is not put back', async () => {
  const { id, messages } = await aThread(
    desk,
    ada,
    admin,
    ['client', 'One.'],
    ['client', 'Two.'],
    ['client', 'Three.'],
    ['client', 'Four.']
  )
  const [merged, trashed, seen, kept] = [
    await splitOff(id, [messages[1]!]),
    await splitOff(id, [messages[2]!]),
    await splitOff(id, [messages[3]!], { department_id: 4 }),
    await splitOff(id, [messages[4]!])
  ]
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const { id: department } = await desk.db
    .selectFrom('departments')
    .where('deptid', '=', 4)
    .select('id')
    .executeTakeFirstOrThrow()
  await limitTo(desk, grace.id, department)
  await post('merge', { id: merged.ticket_id, into_id: (await aTicket(desk, ada)).ticket_id })
  await post('delete', { id: trashed.ticket_id })

  assert.deepEqual(refusal(await post('unsplit', { id })), [409, 'not_split', []])
  assert.deepEqual(refusal(await post('unsplit', { id: merged.ticket_id })), [409, 'ticket_merged', []])
  assert.deepEqual(refusal(await post('unsplit', { id: trashed.ticket_id })), [409, 'ticket_trashed', []])
  assert.deepEqual(refusal(await post('unsplit', { id: seen.ticket_id }, grace)), [404, 'ticket_not_found', []])
  await post('delete', { id })
  assert.deepEqual(refusal(await post('unsplit', { id: kept.ticket_id })), [409, 'ticket_trashed', []])
})

test('a split and its undoing leave the exports of both clients as they were, byte for byte', async () => {
  const carol = await aClient(desk, proved)
  const thread = await aThread(
    desk,
    carol,
    admin,
    ['staff', 'Hello.'],
    ['client', 'And the wallbox.', aFile('wallbox.txt', 'dark')],
    ['note', 'Noted.']
  )
  await desk.db
    .updateTable('ticket_messages')
    .set({ client_email: carol.email })
    .where('id', '=', thread.messages[2]!)
    .execute()
  const exported = async (client: Person) => {
    const { data } = await desk.post('/api/admin/clients/export', admin, { id: client.id })
    const { files, data: rows } = await exportArchive(desk, data.url)
    files.delete('data.json')
    // The log says who looked, and when.
    return { files: [...files], rows: JSON.stringify({ ...rows, exported_at: null, history: null }) }
  }
  const before = [await exported(carol), await exported(bob)]

  for (const client_id of [carol.id, bob.id]) {
    desk.clock.turn(3_600)
    const made = await splitOff(thread.id, [thread.messages[2]!], { client_id, note_ids: thread.notes })
    assert.notDeepEqual(await exported(carol), before[0])
    desk.clock.turn(3_600)
    assert.equal((await post('unsplit', { id: made.ticket_id })).status, 200)

    assert.deepEqual([await exported(carol), await exported(bob)], before)
  }
})

test('a split is undone like any other change by who made it, as long as that may be', async () => {
  const { id, messages } = await aThread(desk, ada, admin, ['client', 'One.'], ['client', 'Two.'])
  const [one, two] = [await splitOff(id, [messages[1]!]), await splitOff(id, [messages[2]!])]

  const undone = await post('undo', { id })
  const before = await post('undo', { id })
  await post('note', { id: one.ticket_id, note: 'Written.' })
  const there = await post('undo', { id: one.ticket_id })

  assert.deepEqual([undone.status, undone.data.ticket.message_count], [200, 2], undone.body.message)
  assert.equal((await post('detail', { id: two.ticket_id })).status, 404)
  assert.deepEqual([before.status, there.status], [409, 409])
  assert.equal(((await timeline(desk, id)).at(-1)![2] as { by: string }).by, 'undo')
})

test('G1: a ticket split off for another client is seen by the managers of that client’s organisation, and by no others', async () => {
  const anOrganisation = async (name: string) =>
    (await desk.post('/api/admin/organisations/create', admin, { name, domains: [], note: '' })).data.organisation
      .id as number
  const joined = async (organisation_id: number, organisation_role: string) => {
    const person = await aClient(desk, proved)
    const body = { id: person.id, organisation_id, organisation_role }
    assert.equal((await desk.post('/api/admin/clients/update', admin, body)).status, 200)
    return person
  }
  const [mill, bakery] = [await anOrganisation('Mill'), await anOrganisation('Bakery')]
  const [miller, baker] = [await joined(mill, 'member'), await joined(bakery, 'member')]
  const [millManager, bakeryManager] = [await joined(mill, 'manager'), await joined(bakery, 'manager')]
  const { id, messages } = await aThread(desk, miller, admin, ['client', 'One.'], ['client', 'Two.'])

  const own = await splitOff(id, [messages[1]!])
  const others = await splitOff(id, [messages[2]!], { client_id: baker.id })

  const statuses = async (by: Person) =>
    await Promise.all([id, own.ticket_id, others.ticket_id].map(async each => (await portal(each, by)).status))
  assert.deepEqual(await statuses(millManager), [200, 200, 404])
  assert.deepEqual(await statuses(bakeryManager), [404, 404, 200])
})
