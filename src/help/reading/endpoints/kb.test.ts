import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { type Audience, audiences } from '../../../core/tables/knowledge-base.ts'

const desk = await bootDesk()
const [admin, ada, supporter] = [await anAdmin(desk), await aClient(desk), await aSupporter(desk, 'clients.view')]
const ask = (name: string, body: object = {}, by?: Person) => desk.post(`/api/kb/${name}`, by, body)
const admins = (name: string, body: object) => desk.post(`/api/admin/kb/${name}`, admin, body)
const readers: [Audience, Person | undefined][] = [
  ['public', undefined],
  ['clients', ada],
  ['staff', supporter]
]
const idsOf = ({ data }: { data: { articles: { id: number }[] } }) => data.articles.map(({ id }) => id)

test('K1 K3 what is narrower than its reader is at no address: not in a list, a count, a search, a suggestion, nor by its id or a slug', async () => {
  for (const audience of audiences) {
    for (const at of ['article', 'category', 'grandparent'] as const) {
      const word = `${audience}${at}word`
      const top = await aCategory(desk, admin, { audience: at === 'grandparent' ? audience : 'public' })
      const middle = await aCategory(desk, admin, { parent_id: top })
      const category_id = await aCategory(desk, admin, {
        parent_id: middle,
        audience: at === 'category' ? audience : 'public'
      })
      const { id } = await anArticle(desk, admin, {
        category_id,
        audience: at === 'article' ? audience : null,
        texts: { en: { title: `About ${word}`, markdown: `Words of ${word}.`, slug: `${audience}-${at}` } }
      })
      await admins('articles/update', { id, texts: { en: { slug: `now-${audience}-${at}` } } })

      for (const [sight, reader] of readers) {
        const isSeen = audiences.indexOf(audience) <= audiences.indexOf(sight)
        const told = `${audience} by the ${at}, ${sight}`
        const listed = await ask('list', { category_id: top }, reader)
        const found = await ask('search', { search: word }, reader)
        const suggested = await ask('suggest', { subject: `About ${word}`, message: word }, reader)
        const statuses = [
          await ask('article', { id }, reader),
          await ask('article', { slug: `now-${audience}-${at}` }, reader),
          await ask('article', { slug: `${audience}-${at}`, locale: 'en' }, reader),
          await ask('feedback', { article_id: id, locale: 'en', is_helpful: 1 }, reader),
          await ask('solved', { article_id: id, locale: 'en' }, reader)
        ].map(({ status }) => status)

        const one = isSeen ? [id] : []
        assert.deepEqual([idsOf(listed), idsOf(found), idsOf(suggested)], [one, one, one], told)
        assert.deepEqual([listed.data.total, found.data.total], [one.length, one.length], told)
        const { categories } = listed.data
        assert.equal(
          categories.some((each: { id: number }) => each.id === category_id),
          isSeen,
          told
        )
        assert.deepEqual(new Set(statuses), new Set([isSeen ? 200 : 404]), told)
      }
    }
  }
  const answers = await desk.db.selectFrom('kb_feedback').select('reader').execute()
  // Of nine articles: three for all, three for clients, three for staff.
  assert.equal(answers.length, 3 * 3 + 3 * 2 + 3)
})

test('K3 a draft and an archived article are the same 404 as none, for staff too', async () => {
  const draft = await anArticle(desk, admin, { isDraft: true })
  const archived = await anArticle(desk, admin)
  await admins('articles/archive', { id: archived.id })
  const missing = await ask('article', { id: 99_999 })

  for (const [, reader] of readers) {
    for (const { id, slug } of [draft, archived]) {
      for (const body of [{ id }, { slug }]) {
        const { status, body: refused } = await ask('article', body, reader)
        assert.deepEqual([status, refused], [404, missing.body])
      }
    }
  }
})

test('K3 an empty category is not shown, nor one in which the reader sees nothing', async () => {
  const empty = await aCategory(desk, admin)
  const hidden = await aCategory(desk, admin)
  await anArticle(desk, admin, { category_id: hidden, audience: 'staff' })

  const [forAda, forStaff] = [await ask('list', {}, ada), await ask('list', {}, supporter)]
  const has = ({ data }: typeof forAda, id: number) =>
    data.categories.some((each: { id: number }) => each.id === id) as boolean
  assert.deepEqual([has(forAda, empty), has(forAda, hidden)], [false, false])
  assert.deepEqual([has(forStaff, empty), has(forStaff, hidden)], [false, true])
})

test('K5 an article is shown in the language that was asked for, else in the desk’s, else in its only one, and it is said', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Cars', de: 'Autos' } })
  const texts = {
    en: { title: 'Zebrafish in English', markdown: 'Words.' },
    de: { title: 'Zebrafisch auf Deutsch', markdown: 'Wörter.' }
  }
  const both = await anArticle(desk, admin, { category_id, texts })
  const german = await anArticle(desk, admin, { category_id, texts: { de: { title: 'Nur Zebra', markdown: 'Eins.' } } })

  const shown = async (id: number, locale?: string) => {
    const { article } = (await ask('article', { id, ...(locale && { locale }) })).data
    return [article.locale, article.is_other_language, article.path.split('/')[3]]
  }
  assert.deepEqual(await shown(both.id, 'de'), ['de', 0, 'autos'])
  assert.deepEqual(await shown(both.id), ['en', 0, 'cars'])
  assert.deepEqual(await shown(both.id, 'fr'), ['en', 1, 'cars'])
  assert.deepEqual(await shown(german.id, 'en'), ['de', 1, 'autos'])

  const listed = await ask('list', { category_id, locale: 'en' })
  const found = await ask('search', { search: 'zebra', locale: 'en' })
  const inGerman = await ask('search', { search: 'zebrafisch', locale: 'en' })
  for (const { data } of [listed, found]) {
    const rows = data.articles.map((each: Record<string, unknown>) => [each.id, each.locale, each.is_other_language])
    assert.deepEqual(rows.toSorted(), [
      [both.id, 'en', 0],
      [german.id, 'de', 1]
    ])
  }
  // The German text of the first is not what an English reader gets.
  assert.deepEqual(idsOf(inGerman), [])
})

test('the search understands the desk’s words, marks what it found in one line, and puts titles first', async () => {
  const inText = await anArticle(desk, admin, {
    texts: { en: { title: 'Batteries', markdown: 'The **wallboxes** were charging\n\nat night.' } }
  })
  const inTitle = await anArticle(desk, admin, { texts: { en: { title: 'Wallbox Müller', markdown: 'Text.' } } })

  const found = await ask('search', { search: 'wallbox' })
  const phrase = await ask('search', { search: '"charging at night"' })
  const umlaut = await ask('search', { search: 'mueller' })
  const nothing = await ask('search', { search: '!!!' })

  assert.deepEqual(idsOf(found), [inTitle.id, inText.id])
  assert.equal(found.data.articles[1].snippet, 'The ⟦wallboxes⟧ were charging at night.')
  assert.deepEqual([idsOf(phrase), idsOf(umlaut)], [[inText.id], [inTitle.id]])
  assert.deepEqual([nothing.status, nothing.data.total], [200, 0])
})

test('staff try a search as a client would, and nobody sees more by it', async () => {
  const { id } = await anArticle(desk, admin, {
    audience: 'staff',
    texts: { en: { title: 'Xylophone', markdown: 'Secret.' } }
  })
  const search = 'xylophone'

  assert.deepEqual(idsOf(await ask('search', { search }, supporter)), [id])
  for (const as of ['public', 'clients']) assert.deepEqual(idsOf(await ask('search', { search, as }, supporter)), [])
  for (const reader of [undefined, ada]) {
    assert.deepEqual(idsOf(await ask('search', { search, as: 'staff' }, reader)), [])
  }
})

test('K8 suggestions come from the rarest words, at most three, and one chance word is not enough', async () => {
  const category_id = await aCategory(desk, admin)
  const write = async (title: string, markdown: string) =>
    (await anArticle(desk, admin, { category_id, texts: { en: { title, markdown } } })).id
  for (let number = 0; number < 6; number++) {
    await write(`Noise ${number}`, `The photovoltaic thing makes noise, number ${number}.`)
  }
  const right = await write('What E-042 means', 'Photovoltaic systems lose their grounding: switch the breaker off.')

  const good = await ask('suggest', {
    subject: 'E-042 on the display',
    message: 'My photovoltaic lost its grounding, the breaker is on.'
  })
  const many = await ask('suggest', { subject: 'photovoltaic noise number thing' })
  const chance = await ask('suggest', {
    subject: 'Breaker of records',
    message: 'We want to thank the photovoltaic orchestra for a wonderful evening with noise and number and thing'
  })
  const late = await ask('suggest', { subject: 'Something else', message: `${'y '.repeat(260)} grounding breaker` })
  const nothing = await ask('suggest', { subject: 'the of and' })

  assert.equal(idsOf(good)[0], right)
  assert.equal(idsOf(many).length, 3)
  assert.equal(idsOf(chance).includes(right), false)
  assert.deepEqual([idsOf(late), idsOf(nothing)], [[], []])
})

test('K8 what has been archived or changed is suggested by its words no more', async () => {
  const { id } = await anArticle(desk, admin, { texts: { en: { title: 'Quagga migration', markdown: 'Okapi.' } } })
  const suggested = async () => idsOf(await ask('suggest', { subject: 'quagga okapi migration' }))
  const first = await suggested()
  await admins('articles/update', { id, texts: { en: { title: 'Tapir', markdown: 'Gnu.' } } })
  const stillPublished = await suggested()
  await admins('articles/publish', { id })
  const changed = await suggested()
  const words = await desk.db.selectFrom('kb_words').where('word', 'in', ['quagga', 'tapir']).selectAll().execute()

  assert.deepEqual([first, stillPublished, changed], [[id], [id], []])
  assert.deepEqual(words, [{ word: 'tapir', texts: 1 }])
})

test('K13 one answer counts for each reader and article, and only "This answered it" counts as solved', async () => {
  const { id: article_id } = await anArticle(desk, admin)
  const say = (given: object, by?: Person) => ask('feedback', { article_id, locale: 'en', ...given }, by)

  const answers = () =>
    desk.db
      .selectFrom('kb_feedback')
      .where('article_id', '=', article_id)
      .select(['reader', 'client_id', 'is_helpful', 'comment', 'locale'])
      .select(eb => eb('solved_at', 'is not', null).as('is_solved'))
      .orderBy('client_id')
      .execute()

  await say({ is_helpful: 0, comment: 'Step two is missing' }, ada)
  await say({ is_helpful: 1 }, ada)
  await say({ is_helpful: 0 })
  await say({ is_helpful: 0 })
  await ask('article', { id: article_id }, ada)
  const [before] = [await answers(), await ask('solved', { article_id, locale: 'de' }, ada)]

  const [own, other, ...further] = await answers()
  const expected = { reader: `client:${ada.id}`, client_id: ada.id, is_helpful: true, comment: null, locale: 'en' }
  assert.deepEqual(before[0], { ...expected, is_solved: false })
  assert.deepEqual(own, { ...expected, is_solved: true })
  assert.deepEqual([further.length, other!.is_helpful, other!.is_solved], [0, false, false])
  assert.match(other!.reader, /^[\w-]{43}$/)
})

test('asking without id and slug, in no language, or of no article is 400 or 404 with the field', async () => {
  for (const [name, body, status, errors] of [
    ['article', {}, 400, ['id', 'slug']],
    ['article', { id: 1, locale: 'English!' }, 400, ['locale']],
    ['search', {}, 400, ['search']],
    ['search', { search: 'x'.repeat(256) }, 400, ['search']],
    ['suggest', { message: 'x' }, 400, ['subject']],
    ['feedback', { article_id: 1, locale: 'en' }, 400, ['is_helpful']],
    ['feedback', { article_id: 1, locale: 'en', is_helpful: 2 }, 400, ['is_helpful']],
    ['solved', { article_id: 99_999, locale: 'en' }, 404, undefined]
  ] as const) {
    const refused = await ask(name, body)
    assert.deepEqual([refused.status, refused.body.errors], [status, errors], name)
  }
})
