import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { type Audience, audiences } from '../../../core/tables/knowledge-base.ts'

const desk = await bootDesk()
const [admin, ada, supporter] = [await anAdmin(desk), await aClient(desk), await aSupporter(desk, 'clients.view')]
const admins = (name: string, body: object) => desk.post(`/api/admin/kb/${name}`, admin, body)

/** Signs in as the pages do, and returns the cookies that the browser then has, by name. */
async function signedIn(population: 'client' | 'staff', { email, password }: Person): Promise<Map<string, string>> {
  const path = population === 'client' ? '/api/auth/login' : '/api/admin/auth/login'
  const response = await fetch(desk.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-deskline-session': population },
    body: JSON.stringify({ email, password })
  })
  assert.equal(response.status, 200)
  return new Map(response.headers.getSetCookie().map(cookie => [cookie.split('=', 1)[0]!, cookie]))
}

const cookieOf = (cookies: Map<string, string>, name: string) => cookies.get(name)!.split(';', 1)[0]!
const clientCookie = cookieOf(await signedIn('client', ada), 'deskline-help-client')
const staffCookie = cookieOf(await signedIn('staff', supporter), 'deskline-help-staff')
const readers: [Audience, string | undefined][] = [
  ['public', undefined],
  ['clients', clientCookie],
  ['staff', staffCookie]
]

async function get(path: string, cookie?: string, headers: Record<string, string> = {}) {
  const given = { ...(cookie && { cookie }), ...headers }
  const response = await fetch(desk.url + path, { headers: given, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('K1 K3 K10 what is narrower than its reader is on no page: it is the same 404 as what does not exist', async () => {
  for (const audience of audiences) {
    const [category, slug, word] = [`for-${audience}`, `about-${audience}`, `word${audience}`]
    const category_id = await aCategory(desk, admin, { name: { en: category }, slug: { en: category } })
    const texts = { en: { title: word, markdown: `Text of ${word}.`, slug: `old-${slug}` } }
    const { id } = await anArticle(desk, admin, { category_id, audience, texts })
    await admins('articles/update', { id, texts: { en: { slug } } })

    for (const [sight, cookie] of readers) {
      const isSeen = audiences.indexOf(audience) <= audiences.indexOf(sight)
      const told = `${audience} for ${sight}`
      const missing = await get('/help/en/nothing/nothing', cookie)
      const pages = [await get(`/help/en/${category}/${slug}`, cookie), await get(`/help/en/${category}`, cookie)]
      const leading = [
        await get(`/help/en/${category}/old-${slug}`, cookie),
        await get(`/help/en/elsewhere/${slug}`, cookie)
      ]
      const listing = [await get('/help/en', cookie), await get(`/help/en?search=${word}`, cookie)]

      assert.deepEqual([missing.status, missing.headers.get('cache-control')], [404, 'no-store'])
      for (const page of pages) assert.equal(page.status, isSeen ? 200 : 404, told)
      for (const page of leading) assert.equal(page.status, isSeen ? 301 : 404, told)
      if (isSeen) {
        for (const page of leading) assert.equal(page.headers.get('location'), `/help/en/${category}/${slug}`)
        for (const page of pages) assert.ok(page.text.includes(word))
      } else {
        for (const page of [...pages, ...leading]) {
          assert.equal(page.text, missing.text)
          assert.deepEqual([...page.headers.keys()], [...missing.headers.keys()])
        }
      }
      for (const page of listing) assert.equal(page.text.includes(`/help/en/${category}/${slug}`), isSeen, told)
      const map = await get('/help/sitemap.xml', cookie)
      assert.equal(map.text.includes(`/help/en/${category}/${slug}<`), audience === 'public', told)
    }
  }
})

test('K10 the 404 always offers to sign in, and has the same words for who is signed in', async () => {
  const pages = [await get('/help/en/x/y'), await get('/help/en/x/y', clientCookie), await get('/help/xx', staffCookie)]

  for (const { status, text } of pages) {
    assert.equal(status, 404)
    assert.match(text, /<a class="btn" href="\/sign-in">Sign in<\/a>/)
  }
  assert.equal(new Set(pages.map(({ text }) => text)).size, 1)
})

test('K9 K10 a public article is the same for all and kept by its tag; others are private, and their tag is that of their audience', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Kept' }, slug: { en: 'kept' } })
  const open = await anArticle(desk, admin, { category_id })
  const own = await anArticle(desk, admin, { category_id, audience: 'clients' })
  const again = (path: string, cookie: string | undefined, etag: string) => get(path, cookie, { 'if-none-match': etag })
  const [openPath, ownPath] = [`/help/en/kept/${open.slug}`, `/help/en/kept/${own.slug}`]

  const [forAll, forAda, forStaff] = [
    await get(openPath),
    await get(openPath, clientCookie),
    await get(openPath, staffCookie)
  ]
  const tag = forAll.headers.get('etag')!
  assert.equal(forAll.headers.get('cache-control'), 'public, no-cache')
  for (const other of [forAda, forStaff]) {
    assert.deepEqual([other.text, other.headers.get('etag')], [forAll.text, tag])
  }
  for (const [, cookie] of readers) assert.equal((await again(openPath, cookie, tag)).status, 304)

  const page = await get(ownPath, clientCookie)
  const ownTag = page.headers.get('etag')!
  assert.equal(page.headers.get('cache-control'), 'private, no-cache')
  assert.match(page.headers.get('vary')!, /Cookie/)
  assert.equal((await again(ownPath, clientCookie, ownTag)).status, 304)
  assert.equal((await again(ownPath, staffCookie, ownTag)).status, 200)
  assert.equal((await again(ownPath, undefined, ownTag)).status, 404)

  // A list that a stranger has seen is not what a client gets.
  const list = await get('/help/en/kept')
  const seen = await again('/help/en/kept', clientCookie, list.headers.get('etag')!)
  assert.deepEqual([seen.status, seen.text.includes(own.slug), list.text.includes(own.slug)], [200, true, false])

  await admins('articles/update', { id: open.id, audience: 'staff' })
  assert.equal((await again(openPath, undefined, tag)).status, 404)
})

test('K9 K10 a page with the form of one reader is no page for another at the same browser', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Shared' }, slug: { en: 'shared' } })
  const path = `/help/en/shared/${(await anArticle(desk, admin, { category_id, audience: 'clients' })).slug}`
  const cookie = cookieOf(await signedIn('client', await aClient(desk)), 'deskline-help-client')
  const etag = (await get(path, clientCookie)).headers.get('etag')!

  assert.equal((await get(path, cookie, { 'if-none-match': etag })).status, 200)
  assert.equal((await get(path, clientCookie, { 'if-none-match': etag })).status, 304)
})

test('a page changes with the look of the desk, and shows its name, logo, accent, phone and privacy', async () => {
  const path = '/help/en'
  const before = await get(path)
  const branding = { name: 'Nordlicht <&>', phone: '+49 341 55', privacy_url: 'https://x.example/p', accent: '#8a1c5c' }
  await desk.post('/api/admin/settings/update', admin, branding)
  const after = await get(path, undefined, { 'if-none-match': before.headers.get('etag')! })
  const style = await get('/help/style.css')
  await desk.post('/api/admin/settings/update', admin, { name: null, phone: null, privacy_url: null, accent: null })

  assert.equal(after.status, 200)
  assert.ok(after.text.includes('Nordlicht &#60;&#38;&#62;'))
  assert.ok(after.text.includes('href="tel:+4934155"') && after.text.includes('https://x.example/p'))
  assert.match(style.text, /--accent-fill:#8a1c5c/)
  assert.ok(style.text.length + after.text.length < 40_000)
})

test('a page runs no script, and tells search engines and readers what it is', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Cars', de: 'Autos' } })
  const markdown = '## One\n\ntext </script><b>\n\n## Two\n\n`code`\n\n## Three\n\n|a|b|\n|-|-|\n|1|2|'
  const texts = { en: { title: 'A "car" & more', markdown }, de: { title: 'Ein Auto', markdown: 'Text.' } }
  await anArticle(desk, admin, { category_id, texts })
  const { BASE_URL } = desk.services.config

  const { text, headers } = await get('/help/en/cars/a-car-more')

  const csp = headers.get('content-security-policy')!
  assert.match(csp, /^default-src 'none'; style-src 'self'; img-src 'self';/)
  const scripts = [...text.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)]
  assert.deepEqual(
    scripts.map(([, attributes]) => attributes),
    [' type="application/ld+json"', ' type="application/ld+json"']
  )
  const [article, crumbs] = scripts.map(([, , json]) => JSON.parse(json!))
  assert.deepEqual([article.headline, article.inLanguage], ['A "car" & more', 'en'])
  assert.equal(crumbs.itemListElement.at(-1).item, `${BASE_URL}/help/en/cars/a-car-more`)
  assert.doesNotMatch(text, /\son\w+=|style=|javascript:/i)
  for (const part of [
    '<html lang="en">',
    `<link rel="canonical" href="${BASE_URL}/help/en/cars/a-car-more">`,
    `hreflang="de" href="${BASE_URL}/help/de/autos/ein-auto">`,
    `hreflang="x-default" href="${BASE_URL}/help/en/cars/a-car-more">`,
    '<meta property="og:title" content="A &#34;car&#34; &#38; more">',
    '<meta property="og:type" content="article">',
    '<meta name="description" content="One text &#60;/script&#62;',
    '<li><a href="#h-two">Two</a></li>',
    '<h2 id="h-three">Three</h2>',
    'href="/help/de/autos/ein-auto">auf Deutsch</a>'
  ]) {
    assert.ok(text.includes(part), part)
  }
  const german = await get('/help/de/autos/ein-auto')
  assert.ok(german.text.includes('War das hilfreich?') && german.text.includes('in English</a>'))
  assert.equal(german.text.includes('Auf dieser Seite'), false)
})

test('K5 pages are in the language of their address, and what is in another is marked', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Only', de: 'Nur' } })
  await anArticle(desk, admin, { category_id, texts: { de: { title: 'Nur Deutsch', markdown: 'Zitronen.' } } })

  const list = await get('/help/en/only')
  const led = await get('/help/en/only/nur-deutsch')
  const found = await get('/help/en?search=zitronen')
  const negotiated = await get('/help', undefined, { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' })

  assert.match(list.text, /Nur Deutsch<\/b> <span class="badge">in German<\/span>/)
  assert.deepEqual([led.status, led.headers.get('location')], [301, '/help/de/nur/nur-deutsch'])
  assert.match(found.text, /in German<\/span>.*<mark>Zitronen<\/mark>/s)
  assert.match(found.text, /<meta name="robots" content="noindex">/)
  assert.deepEqual([negotiated.status, negotiated.headers.get('content-language')], [200, 'de'])
  for (const path of ['/help/fr', '/help/EN', '/help/en-GB']) assert.equal((await get(path)).status, 404, path)
})

test('the answer to whether it helped needs no script, counts once, and the cookie gives none', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Ask' }, slug: { en: 'ask' } })
  const open = await anArticle(desk, admin, { category_id })
  const own = await anArticle(desk, admin, { category_id, audience: 'clients' })
  const send = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ locale: 'en', ...fields })
    const answer = await fetch(`${desk.url}/help/feedback`, { method: 'POST', body, headers, redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  const page = await get(`/help/en/ask/${own.slug}`, clientCookie)
  const reader = /name="reader" value="([^"]+)"/.exec(page.text)![1]!

  const no = await send({ article_id: String(open.id), is_helpful: '0' })
  const why = await send({ article_id: String(open.id), is_helpful: '0', comment: 'Step 2' })
  const byForm = await send({ article_id: String(own.id), is_helpful: '1', reader })
  const byCookie = await send({ article_id: String(own.id), is_helpful: '1' }, { cookie: clientCookie })
  const byReadingToken = await send({
    article_id: String(own.id),
    is_helpful: '0',
    reader: clientCookie.split('=')[1]!
  })
  const foreign = await send({ article_id: String(open.id), is_helpful: '1' }, { 'sec-fetch-site': 'cross-site' })
  const wrong = await send({ article_id: 'x', is_helpful: '1' })
  const asked = await get(no[1] as string)

  assert.deepEqual(no, [303, `/help/en/ask/${open.slug}?answer=no#feedback`])
  assert.deepEqual(why, [303, `/help/en/ask/${open.slug}?answer=sent#feedback`])
  assert.deepEqual(byForm, [303, `/help/en/ask/${own.slug}?answer=yes#feedback`])
  assert.deepEqual([byCookie[0], byReadingToken[0], foreign[0], wrong[0]], [404, 404, 403, 400])
  assert.match(asked.text, /<textarea name="comment"/)
  assert.doesNotMatch((await get(`/help/en/ask/${open.slug}`)).text, /name="reader"/)
  const rows = await desk.db
    .selectFrom('kb_feedback')
    .where('article_id', 'in', [open.id, own.id])
    .select(['client_id', 'is_helpful', 'comment'])
    .orderBy('article_id')
    .execute()
  assert.deepEqual(rows, [
    { client_id: null, is_helpful: false, comment: 'Step 2' },
    { client_id: ada.id, is_helpful: true, comment: null }
  ])
})

test('K10 the reader’s cookie is for GET /help alone, set and ended with the page’s sign-in, and good for nothing else', async () => {
  const cookies = await signedIn('client', ada)
  const { id, slug } = await anArticle(desk, admin, { audience: 'clients' })
  const path = (await desk.post('/api/kb/article', ada, { id })).data.article.path
  const set = cookies.get('deskline-help-client')!
  const [, token] = cookieOf(cookies, 'deskline-help-client').split('=')
  const cookie = cookieOf(cookies, 'deskline-help-client')

  assert.match(set, /; HttpOnly/i)
  assert.match(set, /; SameSite=Lax/i)
  assert.match(set, /; Path=\/help(;|$)/i)
  assert.equal((await get(path, cookie)).status, 200)
  assert.equal((await desk.post('/api/kb/article', { token: token! } as Person, { slug })).status, 404)
  assert.equal((await desk.post('/api/tickets/list', { token: token! } as Person)).status, 401)

  const out = await fetch(`${desk.url}/api/auth/logout`, {
    method: 'POST',
    headers: { 'x-deskline-session': 'client', cookie: cookieOf(cookies, 'deskline-client') }
  })
  const ended = out.headers.getSetCookie().find(each => each.startsWith('deskline-help-client='))
  assert.match(ended!, /Max-Age=0/i)
  // What somebody has kept opens nothing any more.
  assert.equal((await get(path, cookie)).status, 404)
})

test('a category in groups, pages without articles, and what is asked wrongly all answer', async () => {
  const top = await aCategory(desk, admin, { name: { en: 'Groups' }, slug: { en: 'groups' } })
  const below = await aCategory(desk, admin, { name: { en: 'Below' }, parent_id: top, slug: { en: 'below' } })
  await anArticle(desk, admin, { category_id: top })
  await anArticle(desk, admin, { category_id: below })

  const page = await get('/help/en/groups')
  const statuses = []
  for (const path of [
    '/help/',
    '/help/en?search=',
    '/help/en?search=%F0%9F%98%80',
    '/help/en?search=a&search=b',
    '/help/en/groups?page=99',
    '/help/en/groups?page=x',
    `/help/en?search=${'x'.repeat(3000)}`
  ]) {
    statuses.push((await get(path)).status)
  }

  assert.match(page.text, /<h2 class="group"><a href="\/help\/en\/below">Below<\/a><\/h2>/)
  assert.deepEqual(new Set(statuses), new Set([200]))
  const head = await fetch(`${desk.url}/help/en`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})
