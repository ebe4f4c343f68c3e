import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin, aSupporter } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
const author = await aSupporter(desk, 'tickets.reply')
const ask = '/api/admin/kb/articles/ask-publishing'

async function aDraft(title: string): Promise<number> {
  const given = { name: { en: title }, parent_id: null, audience: 'public' }
  const { category } = (await desk.post('/api/admin/kb/categories/create', admin, given)).data
  const texts = { en: { title, markdown: 'It lost its earth.' } }
  const made = await desk.post('/api/admin/kb/articles/create', author, { category_id: category.id, texts })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.data.article.id
}

const waiting = async () =>
  (await desk.post('/api/admin/kb/articles/list', admin, { publishing_asked: 1 })).data.articles.map(
    (article: { id: number }) => article.id
  )

test('K4: an author who may not publish asks for it; who may sees it, and publishing answers it', async () => {
  const id = await aDraft('What E-042 means')
  assert.equal((await desk.post('/api/admin/kb/articles/publish', author, { id })).status, 403)

  const asked = await desk.post(ask, author, { id })
  const again = await desk.post(ask, author, { id })

  assert.equal(asked.status, 200, JSON.stringify(asked.body))
  assert.equal(asked.data.article.publishing_asked_by, `${author.first_name} ${author.last_name}`)
  assert.deepEqual(again.data.article, asked.data.article)
  assert.deepEqual(await waiting(), [id])
  const published = await desk.post('/api/admin/kb/articles/publish', admin, { id })
  assert.deepEqual(
    [published.data.article.publishing_asked_at, published.data.article.publishing_asked_by],
    [null, null]
  )
  assert.deepEqual(await waiting(), [])
  const over = await desk.post(ask, author, { id })
  assert.deepEqual([over.status, over.body.reason], [409, 'nothing_to_publish'])
})

test('K4: nobody asks for an archived article, for none, without the right to write, or over a newer version', async () => {
  const id = await aDraft('What E-043 means')
  const refusal = async (who: typeof author, body: object) => {
    const { status, body: answer } = await desk.post(ask, who, body)
    return [status, answer.reason]
  }
  assert.deepEqual(await refusal(author, { id, expected_version: 99 }), [409, 'version_conflict'])
  assert.deepEqual(await refusal(author, { id: 99_999 }), [404, 'article_not_found'])
  assert.equal((await refusal(await aSupporter(desk, 'clients.view'), { id }))[0], 403)
  await desk.post('/api/admin/kb/articles/archive', admin, { id })
  assert.deepEqual(await refusal(author, { id }), [409, 'article_archived'])
})
