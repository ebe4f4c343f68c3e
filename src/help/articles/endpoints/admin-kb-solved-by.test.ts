import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket, limitTo } from '../../../../test/support/tickets.ts'
import { personalWords } from '../draft-from-ticket.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk, { first_name: 'Ada', last_name: 'Byron-King' })]
const call = (name: string, body: object = {}, by = admin) => desk.post(`/api/admin/kb/${name}`, by, body)

test('a ticket says which article solved it, and the article which tickets; both until it is taken back', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const { id: article_id } = await anArticle(desk, admin, { isDraft: true })

  const solved = await call('tickets/solved-by', { ticket_id, article_id })
  await call('tickets/solved-by', { ticket_id, article_id })
  const article = await call('articles/detail', { id: article_id })
  const removed = await call('tickets/solved-by', { ticket_id, article_id, is_solved: 0 })

  assert.deepEqual(
    solved.data.articles.map(({ id, how, state }: Record<string, unknown>) => [id, how, state]),
    [[article_id, 'solved', 'draft']]
  )
  assert.deepEqual(
    article.data.tickets.map(({ id, how }: Record<string, unknown>) => [id, how]),
    [[ticket_id, 'solved']]
  )
  assert.deepEqual(removed.data, { articles: [], needs_article: 0 })
})

test('tickets that need an article are in a list until they are taken off or an article solves them', async () => {
  const [one, other] = [await aTicket(desk, ada), await aTicket(desk, ada)]
  const { id: article_id } = await anArticle(desk, admin)
  for (const { ticket_id } of [one, other, one]) {
    const { data } = await call('tickets/needs-article', { ticket_id, is_needed: 1 })
    assert.equal(data.needs_article, 1)
  }
  const ids = async (by = admin) =>
    (await call('tickets/list', {}, by)).data.tickets.map(({ id }: { id: number }) => id)
  const all = await ids()
  // Staff of another department do not see them, and those without the right to see all only theirs.
  const elsewhere = await aSupporter(desk, 'tickets.reply', 'tickets.view_all')
  await limitTo(desk, elsewhere.id, 4)
  const seen = [await ids(elsewhere), await ids(await aSupporter(desk, 'tickets.reply'))]
  const solved = await call('tickets/solved-by', { ticket_id: one.ticket_id, article_id })
  const after = await ids()
  await call('tickets/needs-article', { ticket_id: other.ticket_id, is_needed: 0 })

  assert.deepEqual(all, [one.ticket_id, other.ticket_id])
  assert.deepEqual(seen, [[], []])
  assert.equal(solved.data.needs_article, 0)
  assert.deepEqual(after, [other.ticket_id])
  assert.deepEqual(await ids(), [])
})

test('linking takes the right to reply, a ticket that one sees and an article that is there, and nothing is written otherwise', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const { id: article_id } = await anArticle(desk, admin)
  const reader = await aSupporter(desk, 'tickets.view_all')
  const before = await desk.rowCounts()

  const refused = [
    await call('tickets/solved-by', { ticket_id, article_id }, reader),
    await call('tickets/needs-article', { ticket_id, is_needed: 1 }, reader),
    await call('tickets/draft', { ticket_id }, reader),
    await call('tickets/solved-by', { ticket_id, article_id: 999_999 }),
    await call('tickets/solved-by', { ticket_id: 999_999, article_id }),
    await call('tickets/detail', { ticket_id: 999_999 }),
    await call('tickets/draft', { ticket_id: 999_999 })
  ]

  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403, 404, 404, 404, 404]
  )
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a draft is made of what client and staff wrote, never of notes, and says what in it tells who the client is', async () => {
  const message = 'I am Ada BYRON-KING, ada@example.com, +49 341 555 01 23. Serial SN-4711-A.'
  const { ticket_id: id } = await aTicket(desk, ada, { subject: 'Error E-042', message })
  await desk.post('/api/admin/tickets/reply', admin, { id, message: 'Dear Ada,\n\nswitch it off for ten minutes.' })
  await desk.post('/api/admin/tickets/note', admin, { id, note: 'A canary in the note' })
  const before = await desk.rowCounts()

  const { data } = await call('tickets/draft', { ticket_id: id })

  assert.equal(data.draft.title, 'Error E-042')
  assert.equal(data.draft.markdown, `${message}\n\n## Answer\n\nDear Ada,\n\nswitch it off for ten minutes.`)
  const found = data.draft.personal.map(({ text, kind }: Record<string, string>) => `${kind} ${text}`)
  for (const each of [
    'name Ada',
    'name BYRON-KING',
    'address ada@example.com',
    'number +49 341 555 01 23',
    'number SN-4711-A'
  ]) {
    assert.ok(found.includes(each), `${each} among ${found}`)
  }
  assert.equal(JSON.stringify(data).includes('canary'), false)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('names, streets, places, telephones and accounts are found; ten minutes, versions and parts of words are not', () => {
  const text = `Jonas Petersen, Hauptstraße 12, 04109 Leipzig, or 221 Baker Street. Ring 0341/5550123. IBAN DE89 3704 0044 0532 0130 00.
    Update to 8.1.2 within 10 minutes, see https://shop.example/u/4711 and Jonasson.`
  const found = personalWords(text, ['Jonas', 'Petersen', ''])

  assert.deepEqual(
    found.filter(({ kind }) => kind === 'name').map(each => each.text),
    ['Jonas', 'Petersen']
  )
  const texts = found.map(each => each.text)
  for (const each of [
    'Hauptstraße 12',
    '04109 Leipzig',
    '221 Baker Street',
    '0341/5550123',
    'https://shop.example/u/4711'
  ]) {
    assert.ok(texts.includes(each), `${each} among ${texts}`)
  }
  assert.ok(texts.some(each => each.startsWith('DE89 3704')))
  for (const each of ['8.1.2', '10', 'Jonasson']) assert.equal(texts.includes(each), false, each)
})

// It took eleven seconds, in which the service did nothing else.
test('a message that is made to be much work costs no time', () => {
  const before = process.cpuUsage()

  for (const part of ['a-', '1-', 'Aa-', '1 (', 'a.', 'A1']) {
    assert.ok(personalWords(part.repeat(30_000), ['A', 'Ada']).length <= 100, part)
  }

  assert.ok(process.cpuUsage(before).user < 4_000_000)
})
