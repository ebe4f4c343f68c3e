import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const [admin, writer, publisher, ada] = [
  await anAdmin(desk),
  await aSupporter(desk, 'tickets.reply'),
  await aSupporter(desk, 'departments.manage'),
  await aClient(desk)
]
const call = (name: string, body: object = {}, by: Person = admin) => desk.post(`/api/admin/kb/${name}`, by, body)
const read = (id: number, by?: Person, given: object = {}) => desk.post('/api/kb/article', by, { id, ...given })
const billing = await aCategory(desk, admin, { name: { en: 'Billing', de: 'Rechnungen' }, slug: { en: 'billing' } })
const text = (markdown: string, title = 'A title') => ({ texts: { en: { title, markdown } } })

test('a category is created at the end of its level, changed, listed and deleted while nothing is in it', async () => {
  const made = await call('categories/create', { name: { en: 'Invoices' }, parent_id: billing, audience: 'clients' })
  const { id, slug, depth } = made.data.category
  const changed = await call('categories/update', { id, name: { de: 'Belege' }, expected_version: 1 })
  const conflict = await call('categories/update', { id, name: { en: 'x' }, expected_version: 1 })
  const { id: article } = await anArticle(desk, admin, { category_id: id })
  const used = await call('categories/delete', { id })
  const parent = await call('categories/delete', { id: billing })
  await call('articles/archive', { id: article })
  await call('articles/delete', { id: article })
  const deleted = await call('categories/delete', { id })

  assert.deepEqual([made.status, slug, depth], [201, { en: 'invoices' }, 2])
  assert.deepEqual(changed.data.category.name, { en: 'Invoices', de: 'Belege' })
  assert.deepEqual(changed.data.category.slug, { en: 'invoices', de: 'belege' })
  assert.deepEqual([conflict.status, used.status, parent.status, deleted.status], [409, 409, 409, 200])
  assert.equal(used.body.reason, 'category_in_use')
})

test('K2 categories have no circle and are three levels deep at most: 400, and nothing is changed', async () => {
  const two = await aCategory(desk, admin, { parent_id: billing })
  const three = await aCategory(desk, admin, { parent_id: two })
  const [tree, leaf] = [await aCategory(desk, admin), await aCategory(desk, admin)]
  await call('categories/update', { id: leaf, parent_id: tree })
  const before = await call('categories/list')

  const refused = [
    await call('categories/create', { name: { en: 'Deep' }, parent_id: three, audience: 'public' }),
    await call('categories/update', { id: billing, parent_id: billing }),
    await call('categories/update', { id: billing, parent_id: three }),
    await call('categories/update', { id: tree, parent_id: two })
  ]
  const unknown = await call('categories/update', { id: two, parent_id: 99_999 })

  for (const { status, body } of refused) assert.deepEqual([status, body.errors], [400, ['parent_id']])
  assert.equal(unknown.status, 404)
  assert.deepEqual((await call('categories/list')).data, before.data)
  const moved = await call('categories/update', { id: leaf, parent_id: null })
  assert.deepEqual([moved.status, moved.data.category.depth], [200, 1])
})

test('K2 the audience that counts is the narrowest of the chain, and the answer tells which level sets it', async () => {
  const clients = await aCategory(desk, admin, { audience: 'clients' })
  const below = await aCategory(desk, admin, { audience: 'public', parent_id: clients })

  const inherits = await call('articles/create', { category_id: below, ...text('x') })
  const wider = await call('articles/create', { category_id: below, audience: 'public', ...text('x') })
  const narrower = await call('articles/create', { category_id: below, audience: 'staff', ...text('x') })

  const seen = [inherits, wider, narrower].map(({ data: { article } }) => [
    article.effective_audience,
    article.audience_set_by.kind,
    article.audience_set_by.id === article.id || article.audience_set_by.id
  ])
  assert.deepEqual(seen, [
    ['clients', 'category', clients],
    ['clients', 'category', clients],
    ['staff', 'article', true]
  ])
})

test('K2 K12 a dry run tells what becomes more or less visible, and changes nothing; the change counts at once', async () => {
  const [wide, narrow] = [await aCategory(desk, admin), await aCategory(desk, admin, { audience: 'staff' })]
  const { id } = await anArticle(desk, admin, { category_id: wide })
  await anArticle(desk, admin, { category_id: wide, isDraft: true })

  const tried = [
    await call('categories/update', { id: wide, audience: 'clients', dry_run: 1 }),
    await call('categories/update', { id: wide, parent_id: narrow, dry_run: 1 }),
    await call('articles/update', { id, category_id: narrow, dry_run: 1 }),
    await call('articles/update', { id, audience: 'clients', dry_run: 1 })
  ]
  const still = await read(id)
  const moved = await call('articles/update', { id, category_id: narrow })
  const gone = await read(id)
  const back = await call('categories/update', { id: narrow, audience: 'public', dry_run: 1 })

  assert.deepEqual(
    tried.map(({ data: { effect } }) => [effect.more_visible, effect.less_visible, effect.articles[0].after]),
    [
      [0, 1, 'clients'],
      [0, 1, 'staff'],
      [0, 1, 'staff'],
      [0, 1, 'clients']
    ]
  )
  assert.deepEqual([still.status, moved.status, gone.status], [200, 200, 404])
  assert.deepEqual([back.data.effect.more_visible, back.data.effect.less_visible], [1, 0])
})

test('K4 whoever may reply writes drafts, whoever manages departments publishes, and all staff read', async () => {
  const made = await call('articles/create', { category_id: billing, ...text('Draft.') }, writer)
  const { id } = made.data.article
  const refused = [
    await call('articles/publish', { id }, writer),
    await call('articles/archive', { id }, writer),
    await call('articles/delete', { id }, writer),
    await call('categories/create', { name: { en: 'x' }, audience: 'public' }, writer),
    await call('articles/create', { category_id: billing, ...text('x') }, publisher),
    await call('articles/update', { id, ...text('x') }, publisher),
    await call('articles/create', { category_id: billing, ...text('x') }, ada),
    await call('articles/list', {}, ada)
  ]
  const moved = await call('articles/update', { id, audience: 'clients' }, writer)
  const published = await call('articles/publish', { id }, publisher)
  const opened = await call('articles/update', { id, audience: null }, writer)
  const byPublisher = await call('articles/update', { id, audience: null }, publisher)
  const seen = await call('articles/detail', { id }, await aSupporter(desk, 'clients.view'))

  for (const [at, { status }] of refused.entries()) assert.equal(status, 403, String(at))
  assert.deepEqual([moved.status, published.status, opened.status, byPublisher.status], [200, 200, 403, 200])
  assert.deepEqual([seen.status, seen.data.article.audience], [200, null])
})

test('K12 each language is published for itself, and a change of what is published is a draft until it is published again', async () => {
  const texts = { en: { title: 'English', markdown: 'One.' }, de: { title: 'Deutsch', markdown: 'Eins.' } }
  const { id } = await anArticle(desk, admin, { texts, isDraft: true })
  const draft = await read(id, ada)
  await call('articles/publish', { id, locale: 'en' })
  const onlyEnglish = await read(id, undefined, { locale: 'de' })
  await call('articles/update', { id, texts: { en: { markdown: 'Two.' } } })
  const unpublished = await read(id)
  const listed = await call('articles/list', { search: 'english' })
  await call('articles/publish', { id })
  const german = await read(id, undefined, { locale: 'de' })
  await call('articles/archive', { id, locale: 'de' })
  const without = await read(id, undefined, { locale: 'de' })
  const archived = await call('articles/archive', { id, locale: 'en' })
  const gone = await read(id)
  const publishing = await call('articles/publish', { id })
  await call('articles/unarchive', { id })
  const back = await read(id)

  assert.equal(draft.status, 404)
  assert.deepEqual([onlyEnglish.data.article.locale, onlyEnglish.data.article.is_other_language], ['en', 1])
  assert.equal(unpublished.data.article.html, '<p>One.</p>')
  assert.deepEqual(listed.data.articles[0].unpublished, ['de', 'en'])
  assert.deepEqual([german.data.article.html, german.data.article.is_other_language], ['<p>Eins.</p>', 0])
  assert.equal(without.data.article.locale, 'en')
  assert.deepEqual([archived.data.article.state, gone.status], ['archived', 404])
  assert.deepEqual([publishing.status, publishing.body.reason], [409, 'article_archived'])
  assert.equal(back.data.article.html, '<p>Two.</p>')
})

test('K12 a former version is restored as a draft, no version is lost, and a stale writer gets 409', async () => {
  const { id, version } = await anArticle(desk, admin, { texts: { en: { title: 'First', markdown: 'One.' } } })
  await call('articles/update', { id, expected_version: version, texts: { en: { title: 'Second', markdown: 'Two.' } } })
  const stale = await call('articles/update', { id, expected_version: version, ...text('Three.') })
  const restored = await call('articles/restore', { id, locale: 'en', version: 1 })
  const { versions } = (await call('articles/versions', { id, locale: 'en' })).data
  const missing = [
    await call('articles/restore', { id, locale: 'en', version: 9 }),
    await call('articles/versions', { id, locale: 'de' }),
    await call('articles/restore', { id, locale: 'de', version: 1 })
  ]

  assert.deepEqual([stale.status, stale.data.current_version], [409, version + 1])
  assert.deepEqual([restored.data.article.texts.en.title, restored.data.article.texts.en.latest_version], ['First', 3])
  assert.deepEqual(
    versions.map((each: Record<string, unknown>) => [each.version, each.title, each.markdown, each.is_published]),
    [
      [3, 'First', 'One.', 0],
      [2, 'Second', 'Two.', 0],
      [1, 'First', 'One.', 1]
    ]
  )
  for (const { status } of missing) assert.equal(status, 404)
})

test('what no article can be is refused with its field, and nothing is written', async () => {
  const { id, slug } = await anArticle(desk, admin)
  const before = await desk.rowCounts()
  const bomb = `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n${'|\n'.repeat(10_000)}`

  for (const [field, texts] of [
    ['texts.en.slug', { en: { title: 'x', markdown: 'x', slug } }],
    ['texts.en.slug', { en: { title: 'x', markdown: 'x', slug: 'No Slug' } }],
    ['texts.en.slug', { en: { title: 'x', markdown: 'x', slug: '../etc' } }],
    ['texts.fr', { fr: { title: 'x', markdown: 'x' } }],
    ['texts', { 'no language': { title: 'x', markdown: 'x' } }],
    ['texts.en.title', { en: { markdown: 'x' } }],
    ['texts.en.title', { en: { title: 'two\nlines', markdown: 'x' } }],
    ['texts.en.title', { en: { title: 'x'.repeat(201), markdown: 'x' } }],
    ['texts.en.markdown', { en: { title: 'x' } }],
    ['texts.en.markdown', { en: { title: 'x', markdown: ' \n' } }],
    ['texts.en.markdown', { en: { title: 'x', markdown: '*a_'.repeat(40_000) } }],
    ['texts.en.markdown', { en: { title: 'x', markdown: 'ä'.repeat(60_000) } }],
    ['texts.en.markdown', { en: { title: 'x', markdown: bomb } }],
    ['texts.en.markdown', { en: { title: 'x', markdown: '\u0001\u0002PNG' } }],
    ['texts.en.markdown', { en: { title: 'x', markdown: 'a\0b' } }],
    ['texts.en.other', { en: { title: 'x', markdown: 'x', other: 1 } }],
    ['texts', {}],
    ['texts', []]
  ] as const) {
    const refused = await call('articles/create', { category_id: billing, texts })
    assert.deepEqual([refused.status, refused.body.errors], [400, [field]], JSON.stringify(texts).slice(0, 80))
  }
  const missing = await call('articles/create', { category_id: 99_999, ...text('x') })

  assert.equal(missing.status, 404)
  assert.equal((await call('articles/detail', { id })).data.article.version, 2)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('K6 pictures of other places are refused when the text is saved', async () => {
  for (const address of [
    'https://evil.example/p.png',
    '/help/files/../p.png',
    '/uploads/tickets/5f/x.png',
    'http://x/'
  ]) {
    const refused = await call('articles/create', { category_id: billing, ...text(`![p](${address})`) })
    assert.deepEqual([refused.status, refused.body.errors], [400, ['texts.en.markdown']], address)
  }
})

test('two articles that want one address at once get one each or a refusal, never the same', async () => {
  const texts = { en: { title: 'Race', markdown: 'x', slug: 'race' } }
  const both = await Promise.all([1, 2, 3].map(() => call('articles/create', { category_id: billing, texts })))
  const derived = await Promise.all(
    [1, 2].map(() => call('articles/create', { category_id: billing, ...text('x', 'Ärger & Spaß') }))
  )

  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 400, 400])
  assert.deepEqual(derived.map(({ data }) => data.article.texts.en.slug).toSorted(), ['aerger-spass', 'aerger-spass-2'])
})

test('a preview shows Markdown as it would be saved, and refuses what saving refuses', async () => {
  const shown = await call('articles/preview', { markdown: '# Try *this*\n\n<script>x</script>' }, writer)
  const foreign = await call('articles/preview', { markdown: '![x](https://elsewhere.example/x.png)' }, writer)
  const reader = await call('articles/preview', { markdown: 'x' }, publisher)

  assert.match(shown.data.html, /^<h2 id="h-try-this">Try <em>this<\/em><\/h2>/)
  assert.doesNotMatch(shown.data.html, /<script/)
  assert.deepEqual([foreign.status, foreign.body.errors], [400, ['markdown']])
  assert.equal(reader.status, 403)
})
