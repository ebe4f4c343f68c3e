import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../test/support/articles.ts'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { anAdmin, type Person } from '../../../test/support/people.ts'
import { system } from '../../core/actor.ts'
import { type ArticleFile, exportedArticles, importArticle, readFile, writtenFile } from './article-files.ts'
import { exportedPictures, importPicture, knownPictures, sweepPictures } from './pictures.ts'

const [desk, other] = [await bootDesk(), await bootDesk()]
const admin = await anAdmin(desk)
const origin = { ip: null, requestId: null }

async function filesOf(from: Desk): Promise<Map<string, ArticleFile>> {
  const files = new Map<string, ArticleFile>()
  for await (const { path, text } of exportedArticles(from.db)) files.set(path, readFile(text))
  return files
}

async function uploaded(content: Buffer): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(content)]), 'a.png')
  return (await desk.post('/api/admin/kb/files/upload', admin, body)).data.file.url
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

test('K14 K2 without being told to publish, files move nothing published, nor open it to more or fewer people', async () => {
  const [wide, narrow] = [await aCategory(desk, admin, { name: { en: 'Wide' } }), await aCategory(desk, admin)]
  const texts = { en: { title: 'For staff by now', markdown: 'Words.', slug: 'for-staff-by-now' } }
  const { id } = await anArticle(desk, admin, { category_id: wide, texts })
  const file = (await filesOf(desk)).get('wide/for-staff-by-now.en.md')!
  await desk.post('/api/admin/kb/articles/update', admin, { id, audience: 'staff', category_id: narrow })
  const now = async () => {
    const { article } = (await desk.post('/api/admin/kb/articles/detail', admin, { id })).data
    return [article.effective_audience, article.category_id, article.texts.en.published_version]
  }

  const changed = await importArticle(desk.services, system, origin, [{ ...file, markdown: 'Newer.' }], false)

  assert.deepEqual([changed, await now()], ['updated', ['staff', narrow, 1]])
  await importArticle(desk.services, system, origin, [file], true)
  assert.deepEqual((await now()).slice(0, 2), ['public', wide])
})

test('K14 the pictures of articles go along under their names, and show there what they showed', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64'
  )
  const url = await uploaded(png)
  await anArticle(desk, admin, { texts: { en: { title: 'Seen', markdown: `![A dot](${url})` } } })
  const [en] = [...(await filesOf(desk)).values()].filter(({ title }) => title === 'Seen') as [ArticleFile]

  const pictures: { name: string; content: Buffer }[] = []
  for await (const picture of exportedPictures(desk.db)) pictures.push(picture)
  assert.deepEqual(
    pictures.map(({ name }) => `/help/files/${name}`),
    [url]
  )
  await assert.rejects(importArticle(other.services, system, origin, [en], true), /there is no picture/)
  for (const picture of [...pictures, ...pictures]) await importPicture(other.services, system, origin, picture)
  await importArticle(other.services, system, origin, [en], true)

  const shown = await fetch(other.url + url)
  assert.deepEqual([shown.status, Buffer.from(await shown.arrayBuffer())], [200, png])
  await assert.rejects(
    importPicture(other.services, system, origin, { name: pictures[0]!.name, content: Buffer.from('<svg>') }),
    /must be a PNG/
  )
})

test('K11 a picture that no version shows goes after a week, and one that a former version shows never', async () => {
  const upload = (mark: string) => uploaded(Buffer.from(`\x89PNG\r\n\x1a\n${mark}`, 'latin1'))
  const [former, unused] = [await upload('former'), await upload('unused')]
  const { id } = await anArticle(desk, admin, { texts: { en: { title: 'Had one', markdown: `![It](${former})` } } })
  await desk.post('/api/admin/kb/articles/update', admin, {
    id,
    texts: { en: { title: 'Had one', markdown: 'None.' } }
  })
  const there = async () => {
    const names = [former, unused].map(url => url.split('/').at(-1)!)
    return [...(await knownPictures(desk.db, names))].map(name => names.indexOf(name)).toSorted()
  }
  const later = (days: number) => new Date(desk.clock.now().getTime() + days * 86_400_000)

  await sweepPictures(desk.db, later(6))
  assert.deepEqual(await there(), [0, 1])
  await sweepPictures(desk.db, later(8))
  assert.deepEqual(await there(), [0])
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
