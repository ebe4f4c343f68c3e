import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../test/support/articles.ts'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { anAdmin, type Person } from '../../../test/support/people.ts'
import { system } from '../../core/actor.ts'
import { type ArticleFile, exportedArticles, importArticle, readFile, writtenFile } from './article-files.ts'

const [desk, other] = [await bootDesk(), await bootDesk()]
const admin = await anAdmin(desk)
const origin = { ip: null, requestId: null }

async function filesOf(from: Desk): Promise<Map<string, ArticleFile>> {
  const files = new Map<string, ArticleFile>()
  for await (const { path, text } of exportedArticles(from.db)) files.set(path, readFile(text))
  return files
}

const listed = async (at: Desk, by?: Person) =>
  (await at.post('/api/kb/list', by)).data.articles.map((each: { title: string; path: string }) => [
    each.title,
    each.path
  ])

test('K14 articles go through files to another desk: as drafts, or published for the same audience, and again without a change', async () => {
  const top = await aCategory(desk, admin, { name: { en: 'Cars', de: 'Autos' } })
  const category_id = await aCategory(desk, admin, { name: { en: 'Old: "ones"' }, parent_id: top, audience: 'clients' })
  const markdown = 'Words: *of* it.\n\n---\n\ntitle: no fact'
  const texts = { en: { title: 'A "car": no', markdown }, de: { title: 'Ein Auto', markdown: 'Wörter.' } }
  await anArticle(desk, admin, { category_id, texts })
  await anArticle(desk, admin, { category_id: top })
  const archived = await anArticle(desk, admin)
  await desk.post('/api/admin/kb/articles/archive', admin, { id: archived.id })

  const files = await filesOf(desk)
  assert.deepEqual([...files.keys()].slice(0, 2), ['cars/old-ones/a-car-no.en.md', 'cars/old-ones/a-car-no.de.md'])
  assert.deepEqual(files.get('cars/old-ones/a-car-no.en.md'), {
    title: 'A "car": no',
    slug: 'a-car-no',
    locale: 'en',
    category: 'cars/old-ones',
    audience: 'clients',
    state: 'published',
    markdown
  })
  assert.equal(files.size, 3)

  const [en, de, plain] = [...files.values()] as [ArticleFile, ArticleFile, ArticleFile]
  const take = async (isPublishing: boolean) => [
    await importArticle(other.services, system, origin, [en, de], isPublishing),
    await importArticle(other.services, system, origin, [plain], isPublishing)
  ]
  assert.deepEqual(await take(false), ['created', 'created'])
  assert.deepEqual(await listed(other), [])
  assert.deepEqual(await take(true), ['unchanged', 'unchanged'])
  assert.deepEqual(await listed(other), [[plain.title, `/help/en/cars/${plain.slug}`]])
  const staff = await anAdmin(other)
  assert.equal((await listed(other, staff)).length, 2)
  const changed = await importArticle(other.services, system, origin, [{ ...en, title: 'New' }, de], false)
  assert.equal(changed, 'updated')
  assert.deepEqual([...(await filesOf(other)).keys()].toSorted(), [...files.keys()].toSorted())
})

test('K14 a file without its facts, with aliases, or of nowhere is refused with a sentence', () => {
  const whole = writtenFile({
    title: 'T',
    slug: 't',
    locale: 'en',
    category: 'c',
    audience: 'public',
    state: 'draft',
    markdown: 'M'
  })

  assert.equal(readFile(whole).markdown, 'M')
  for (const [text, reason] of [
    ['Just words', /does not begin with its facts/],
    [whole.replace('title: T', 'title: ""'), /title is missing/],
    [whole.replace('audience: public', 'audience: everybody'), /audience is one of/],
    [whole.replace('title: T', 'a: &a [x]\nb: [*a, *a]\ntitle: T'), /./],
    ['---\n- x\n---\nM', /is missing/]
  ] as const) {
    assert.throws(() => readFile(text), reason)
  }
})
