import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aFile, aTicket, form } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const sender = { client_id: ada.id, sender_first_name: 'Ada', sender_last_name: 'Lovelace' }
const author = { staff_id: grace.id, author_first_name: 'Grace', author_last_name: 'Hopper' }

/** Adds this many messages and notes of this many characters. */
async function grow(id: number, count: number, length = 5): Promise<void> {
  const text = (at: number) => `${at} `.padEnd(length, 'x')
  const numbers = Array.from({ length: count }, (_, at) => at)
  const messages = numbers.map(at => ({ ticket_id: id, ...sender, message: text(at) }))
  await desk.db.insertInto('ticket_messages').values(messages).execute()
  const notes = numbers.map(at => ({ ticket_id: id, ...author, note: text(at) }))
  await desk.db.insertInto('ticket_notes').values(notes).execute()
}

const idsOf = (entries: { id: number }[]) => entries.map(({ id }) => id)

async function allPages(id: number, kind: 'messages' | 'notes') {
  const pages: { id: number; attachments: unknown[] }[][] = []
  for (let before: number | null | undefined; before !== null; ) {
    const body = { id, ...(before === undefined ? {} : { [`${kind}_before`]: before }) }
    const { status, data } = await desk.post('/api/admin/tickets/detail', grace, body)
    assert.equal(status, 200)
    pages.push(data[kind])
    before = data[`${kind}_before`]
  }
  return pages
}

test('a long thread and its notes come in pages of a hundred from the newest, and nothing is missing or there twice', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, {}, [aFile('first.txt')])
  const { ticket_id: source } = await aTicket(desk, ada, {}, [aFile('merged.txt')])
  await grow(id, 120)
  await grow(source, 80)
  await desk.post('/api/admin/tickets/merge', grace, { id: source, into_id: id })
  const whole = (await desk.post('/api/tickets/detail', ada, { id })).data.messages

  const pages = await allPages(id, 'messages')
  const notes = await allPages(id, 'notes')

  assert.deepEqual(
    [pages, notes].map(each => each.map(page => page.length)),
    [
      [100, 100, 2],
      [100, 100]
    ]
  )
  assert.deepEqual(
    idsOf(pages.flat()).toSorted((one, other) => one - other),
    idsOf(whole).toSorted((one, other) => one - other)
  )
  assert.equal(new Set(idsOf(notes.flat())).size, 200)
  assert.deepEqual(
    pages.map(page => page.flatMap(({ attachments }) => attachments).length),
    [0, 0, 2]
  )
  const { data } = await desk.post('/api/admin/tickets/detail', grace, { id })
  assert.equal(data.last_message_id, Math.max(...idsOf(whole)))
  assert.equal(whole.length, 202)
})

test('long texts make short pages: an answer has two megabytes of them, or a single one', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await grow(id, 9, 500_000)

  const [pages, notes] = [await allPages(id, 'messages'), await allPages(id, 'notes')]

  assert.deepEqual(
    pages.map(page => page.length),
    [4, 4, 2]
  )
  assert.deepEqual(
    notes.map(page => page.length),
    [4, 4, 1]
  )
  assert.equal((await desk.post('/api/tickets/detail', ada, { id })).data.messages.length, 10)
})

test('a file of no message stands with the first one, on the page that has it', async () => {
  const { ticket_id: id, attachments } = await aTicket(desk, ada, {}, [aFile('imported.txt')])
  await desk.db
    .updateTable('ticket_attachments')
    .set({ message_id: null })
    .where('id', '=', attachments[0].id)
    .execute()
  const short = (await desk.post('/api/admin/tickets/detail', grace, { id })).data
  await grow(id, 100)

  const pages = await allPages(id, 'messages')

  assert.deepEqual(short.messages[0].attachments, attachments)
  assert.deepEqual(
    pages[0]!.flatMap(each => each.attachments),
    []
  )
  assert.deepEqual(pages.at(-1)![0]!.attachments, attachments)
})

test('whoever missed very much is told of the first of it, and of the rest when they have read that', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const seen = (await desk.post('/api/admin/tickets/detail', grace, { id })).data.last_message_id
  await grow(id, 150)
  const answer = (last: number) =>
    desk.post('/api/admin/tickets/reply', grace, form({ id, message: 'Yes.', last_seen_message_id: last }))

  const first = await answer(seen)
  const second = await answer(first.data.last_message_id)
  const third = await answer(second.data.last_message_id)

  assert.deepEqual([first.status, first.data.messages.length], [409, 100])
  assert.deepEqual([second.status, second.data.messages.length, third.status], [409, 50, 201])
  assert.equal(first.data.messages[0].message, '0 xxx')
})
