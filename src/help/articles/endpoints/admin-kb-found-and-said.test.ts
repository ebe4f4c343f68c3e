import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const [admin, writer, ada] = [await anAdmin(desk), await aSupporter(desk, 'tickets.reply'), await aClient(desk)]
const call = (name: string, body: object = {}, by: Person = admin) => desk.post(`/api/admin/kb/${name}`, by, body)

test('the list of staff finds words of texts, drafts too, beside parts of titles', async () => {
  const published = await anArticle(desk, admin, {
    texts: { en: { title: 'Relay', markdown: 'Turn the *zyglodon* off.' } }
  })
  const draft = await anArticle(desk, admin, {
    texts: { de: { title: 'Relais', markdown: 'Den Zyglodon aus.' } },
    isDraft: true
  })
  const found = async (search: string) =>
    (await call('articles/list', { search })).data.articles.map(({ id }: { id: number }) => id)

  assert.deepEqual(await found('zyglodon'), [draft.id, published.id])
  assert.deepEqual(await found('turn zyglodon'), [published.id])
  assert.deepEqual(await found('zyglodon nowhere'), [])
  await call('articles/update', { id: published.id, texts: { en: { markdown: 'Turn the quaggle off.' } } })
  assert.deepEqual(await found('quaggle'), [published.id])
  for (const search of ['%', '"', "'", '-', '&|!():*', '\\'])
    assert.equal((await call('articles/list', { search })).status, 200)
})

test('what readers say of an article is told to staff: how many it helped, and what the others miss, without their names', async () => {
  const { id } = await anArticle(desk, admin)
  const say = (by: Person | undefined, is_helpful: 0 | 1, comment?: string) =>
    desk.post('/api/kb/feedback', by, { article_id: id, locale: 'en', is_helpful, ...(comment && { comment }) })
  await say(ada, 1)
  await say(await aClient(desk), 0, 'Which lever?')
  await say(await aClient(desk), 0)
  const { feedback } = (await call('articles/detail', { id })).data

  assert.deepEqual([feedback.helpful, feedback.not_helpful], [1, 2])
  assert.deepEqual(
    feedback.comments.map(({ updated_at: _, ...said }: { updated_at: string }) => said),
    [{ comment: 'Which lever?', locale: 'en' }]
  )
})

test('the figures count what the chips of the list show', async () => {
  const before = (await call('numbers')).data.numbers
  const { id } = await anArticle(desk, admin)
  for (let reader = 0; reader < 5; reader++) {
    const given = { article_id: id, locale: 'en', is_helpful: reader < 2 ? 1 : 0 }
    await desk.post('/api/kb/feedback', await aClient(desk), given)
  }
  const asked = await anArticle(desk, admin, { isDraft: true })
  await call('articles/ask-publishing', { id: asked.id }, writer)
  const after = (await call('numbers')).data.numbers
  const listed = await call('articles/list', { not_helpful: 1 })

  const grown = (name: string) => after[name] - before[name]
  assert.deepEqual(['articles_not_helpful', 'articles_asked', 'tickets_wanting'].map(grown), [1, 1, 0])
  assert.equal(listed.data.total, after.articles_not_helpful)
})

test('K4 the address of what is published changes by those who may publish alone; that of a draft by its writers', async () => {
  const published = await anArticle(desk, admin)
  const draft = await anArticle(desk, admin, { isDraft: true })
  const rename = (id: number, slug: string, by: Person) => call('articles/update', { id, texts: { en: { slug } } }, by)
  const refused = await rename(published.id, 'by-a-writer', writer)
  const same = await call(
    'articles/update',
    { id: published.id, texts: { en: { slug: published.slug, markdown: 'New.' } } },
    writer
  )
  const shown = await desk.post('/api/kb/article', ada, { id: published.id })

  assert.deepEqual([refused.status, same.status], [403, 200])
  assert.equal(shown.data.article.slug, published.slug)
  assert.deepEqual(
    [
      (await rename(draft.id, 'by-its-writer', writer)).status,
      (await rename(published.id, 'by-an-admin', admin)).status
    ],
    [200, 200]
  )
})

test('a version names its author and the API token apart, so that pages compose both in their language', async () => {
  const made = await desk.post('/api/account/tokens/create', admin, { name: 'Nightly export' })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { token } = made.data
  const { id } = await anArticle(desk, admin)
  await call('articles/update', { id, texts: { en: { markdown: 'By night.' } } }, { token } as Person)
  const { versions } = (await call('articles/versions', { id, locale: 'en' })).data
  const { author_name, author_token } = (await call('articles/detail', { id })).data.article.texts.en

  assert.deepEqual([author_token, author_name.includes('Nightly')], ['Nightly export', false])
  assert.deepEqual(
    versions.map((version: Record<string, unknown>) => version.author_token),
    ['Nightly export', null]
  )
})
