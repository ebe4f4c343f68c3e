import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const call = (name: string, body: object = {}, by = admin) => desk.post(`/api/admin/kb/${name}`, by, body)

test('K7 an article for staff goes into a note, and not into a reply: 409 with the reason, and no link', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const { id: article_id } = await anArticle(desk, admin, { audience: 'staff' })

  const reply = await call('insert', { article_id, ticket_id, as: 'reply' })
  const links = await desk.db.selectFrom('kb_links').select('how').execute()
  const note = await call('insert', { article_id, ticket_id, as: 'note' })

  assert.deepEqual([reply.status, reply.body.reason, links.length], [409, 'article_for_staff', 0])
  assert.equal(note.status, 200)
  assert.equal((await call('articles/detail', { id: article_id })).data.tickets[0].id, ticket_id)
})

test('K7 K13 an article comes in the client’s language with its address and text, once for each ticket', async () => {
  const client = await aClient(desk, { language: 'de' })
  const { ticket_id } = await aTicket(desk, client)
  const category_id = await aCategory(desk, admin, { name: { en: 'Ways', de: 'Wege' } })
  const texts = { en: { title: 'A way', markdown: 'Go.' }, de: { title: 'Ein Weg', markdown: 'Geh.' } }
  const { id } = await anArticle(desk, admin, { category_id, texts })

  const { data } = await call('insert', { article_id: id, ticket_id, as: 'reply' })
  await call('insert', { article_id: id, ticket_id, as: 'note' })
  const { effect } = (await call('articles/update', { id, audience: 'staff', dry_run: 1 })).data
  const { numbers } = (await call('numbers')).data

  const url = `${desk.services.config.BASE_URL}/help/de/wege/ein-weg`
  assert.deepEqual(data.article, { id, locale: 'de', title: 'Ein Weg', url, markdown: 'Geh.' })
  // Before it is made narrower, staff see which tickets link it.
  assert.deepEqual(
    effect.tickets.map((each: { id: number; how: string }) => [each.id, each.how]),
    [[ticket_id, 'inserted']]
  )
  assert.ok(numbers.tickets_with_articles >= 1 && numbers.articles.published >= 2)
})

test('K7 what is made narrower after it was inserted leads clients to a 404', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const { id } = await anArticle(desk, admin)
  const { article } = (await call('insert', { article_id: id, ticket_id, as: 'reply' })).data
  const path = new URL(article.url).pathname

  const before = await fetch(desk.url + path)
  await call('articles/update', { id, audience: 'staff' })
  const after = await fetch(desk.url + path)

  assert.deepEqual([before.status, after.status], [200, 404])
})

test('K7 inserting takes the right to reply, a ticket that one sees and an article that is published', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const { id: article_id } = await anArticle(desk, admin)
  const draft = await anArticle(desk, admin, { isDraft: true })
  const replier = await aSupporter(desk, 'tickets.reply')

  const refused = [
    await call('insert', { article_id, ticket_id, as: 'reply' }, await aSupporter(desk, 'departments.manage')),
    await call('insert', { article_id: draft.id, ticket_id, as: 'note' }),
    await call('insert', { article_id, ticket_id: 999_999, as: 'note' }, replier),
    await call('insert', { article_id, ticket_id, as: 'mail' })
  ]

  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 404, 404, 400]
  )
})

test('K13 the figures count what readers have said, and nothing else', async () => {
  const before = (await call('numbers')).data.numbers
  const { id: article_id } = await anArticle(desk, admin)
  await desk.post('/api/kb/article', ada, { id: article_id })
  await desk.post('/api/kb/feedback', ada, { article_id, locale: 'en', is_helpful: 0 })
  await desk.post('/api/kb/feedback', ada, { article_id, locale: 'en', is_helpful: 1 })
  await desk.post('/api/kb/solved', ada, { article_id, locale: 'en' })
  await desk.post('/api/kb/solved', ada, { article_id, locale: 'en' })
  const after = (await call('numbers')).data.numbers

  const grown = (name: string) => after[name] - before[name]
  assert.deepEqual([grown('helpful'), grown('not_helpful'), grown('solved')], [1, 0, 1])

  // What is taken back is not counted, though the other answer stays; once more changes nothing.
  for (const _ of [1, 2]) {
    const reply = await desk.post('/api/kb/solved', ada, { article_id, locale: 'en', is_solved: 0 })
    assert.equal(reply.status, 200)
  }
  const { numbers } = (await call('numbers')).data
  assert.deepEqual([numbers.solved, numbers.helpful], [before.solved, before.helpful + 1])
})
