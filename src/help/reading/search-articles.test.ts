import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aCategory, anArticle } from '../../../test/support/articles.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const search = async (words: string, more: object = {}) =>
  (await desk.post('/api/kb/search', undefined, { search: words, ...more })).data

/** So many published articles with this text, written at once. */
async function manyArticles(count: number, category: number, audience: 'public' | 'staff', text: string) {
  await sql`
    with added as (
      insert into kb_articles (category_id, audience, state, created_at, updated_at)
      select ${category}, ${audience}::kb_audience, 'published', now(), now() from generate_series(1, ${count}::int) returning id),
    texts as (
      insert into kb_texts (article_id, locale, slug, latest_version) select id, 'en', 'many-' || id, 1 from added)
    select 1`.execute(desk.db)
  await sql`
    insert into kb_versions (article_id, locale, version, title, markdown, html, plain, author_name, created_at)
    select article_id, 'en', 1, 'One of many', ${text}, ${text}, ${text}, 'Grace Hopper', now() from kb_texts
    where slug like 'many-%' and published_version is null`.execute(desk.db)
  await sql`update kb_texts set published_version = 1, published_at = now() where slug like 'many-%' and published_version is null`.execute(
    desk.db
  )
}

test('of more articles than are ranked those with the words in the title are found however old they are, and the count says that there are more', async () => {
  const category_id = await aCategory(desk, admin)
  const { id } = await anArticle(desk, admin, {
    category_id,
    texts: { en: { title: 'Rubies', markdown: 'What they are.' } }
  })
  await manyArticles(320, category_id, 'public', 'Of all stones rubies are the reddest.')

  const first = await search('rubies', { limit: 5 })
  const last = await search('rubies', { limit: 5, page: 61 })
  const few = await search('reddest emeralds')

  assert.equal(first.articles[0].id, id)
  assert.deepEqual([first.count, first.total, first.is_more], [5, 302, 1])
  assert.deepEqual([last.count, last.is_more], [2, 1])
  assert.deepEqual([few.total, few.is_more], [0, 0])
})

test('K1 what newer articles the reader may not see hide nothing that they may', async () => {
  const category_id = await aCategory(desk, admin)
  const { id } = await anArticle(desk, admin, {
    category_id,
    texts: { en: { title: 'Stones', markdown: 'Some are sapphires.' } }
  })
  await manyArticles(1_050, category_id, 'staff', 'Sapphires are for staff.')

  const { articles, total, is_more } = await search('sapphires')

  assert.deepEqual([articles.map((each: { id: number }) => each.id), total, is_more], [[id], 1, 0])
})
