import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aLogo } from '../../../../test/support/logos.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aFile, form } from '../../../../test/support/tickets.ts'
import { type Audience, audiences } from '../../../core/tables/knowledge-base.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const people = { clients: await aClient(desk), staff: await aSupporter(desk, 'tickets.reply') }

/** The cookie of a reader of this audience, as the sign-in of the pages sets it. */
async function cookieOf(audience: 'clients' | 'staff'): Promise<string> {
  const { email, password } = people[audience]
  const response = await fetch(`${desk.url}${audience === 'clients' ? '/api/auth/login' : '/api/admin/auth/login'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-deskline-session': audience === 'clients' ? 'client' : 'staff'
    },
    body: JSON.stringify({ email, password })
  })
  return response.headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('deskline-help'))!
    .split(';', 1)[0]!
}

const upload = (file: ReturnType<typeof aFile>, by = admin) =>
  desk.post('/api/admin/kb/files/upload', by, form({}, file))

test('K6 K11 a picture is seen by whoever sees an article that shows it now, and does not exist for others', async () => {
  const cookies = { clients: await cookieOf('clients'), staff: await cookieOf('staff') }
  const get = (url: string, sight: Audience, headers: Record<string, string> = {}) =>
    fetch(desk.url + url, { headers: { ...(sight !== 'public' && { cookie: cookies[sight] }), ...headers } })
  const { url } = (await upload(aLogo())).data.file
  const markdown = `![A lever](${url})`
  const texts = { en: { title: 'Lever', markdown } }
  const article = await anArticle(desk, admin, { texts, isDraft: true })
  const statuses = () => Promise.all(audiences.map(async sight => (await get(url, sight)).status))

  assert.match(url, /^\/help\/files\/[0-9a-f]{32}\.png$/)
  // Of a draft only staff see it.
  assert.deepEqual(await statuses(), [404, 404, 200])
  await desk.post('/api/admin/kb/articles/publish', admin, { id: article.id })
  assert.deepEqual(await statuses(), [200, 200, 200])
  const shown = await get(url, 'public')
  assert.deepEqual(
    [shown.headers.get('content-type'), shown.headers.get('cache-control')],
    ['image/png', 'public, no-cache']
  )
  assert.equal((await get(url, 'public', { 'if-none-match': shown.headers.get('etag')! })).status, 304)

  await desk.post('/api/admin/kb/articles/update', admin, { id: article.id, audience: 'clients' })
  assert.deepEqual(await statuses(), [404, 200, 200])
  assert.equal((await get(url, 'clients')).headers.get('cache-control'), 'private, no-cache')
  await desk.post('/api/admin/kb/articles/update', admin, { id: article.id, audience: 'staff' })
  assert.deepEqual(await statuses(), [404, 404, 200])

  // A text that no longer shows it, once it is published.
  await desk.post('/api/admin/kb/articles/update', admin, {
    id: article.id,
    audience: 'public',
    texts: { en: { markdown: 'x' } }
  })
  assert.deepEqual(await statuses(), [200, 200, 200])
  await desk.post('/api/admin/kb/articles/publish', admin, { id: article.id })
  assert.deepEqual(await statuses(), [404, 404, 200])
  await desk.post('/api/admin/kb/articles/restore', admin, { id: article.id, locale: 'en', version: 1 })
  await desk.post('/api/admin/kb/articles/publish', admin, { id: article.id })
  assert.deepEqual(await statuses(), [200, 200, 200])
})

test('K6 what is no picture, too large or unknown is refused, and nothing is written', async () => {
  const before = await desk.rowCounts()
  const texts = { en: { title: 'x', markdown: `![x](/help/files/${'0'.repeat(32)}.png)` } }

  const [svg, none, large, client] = [
    await upload(aFile('x.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')),
    await desk.post('/api/admin/kb/files/upload', admin, form({ a: 'b' })),
    await upload(aFile('x.png', 'x'.repeat(2 * 1024 * 1024 + 1))),
    await upload(aLogo(), people.clients)
  ]
  assert.deepEqual([svg.status, none.status, large.status, client.status], [400, 400, 413, 403])
  assert.deepEqual(await desk.rowCounts(), before)
  const unknown = await desk.post('/api/admin/kb/articles/create', admin, { category_id: 1, texts })
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['texts.en.markdown']])
  for (const name of ['x', '..%2f..%2fetc', `${'0'.repeat(32)}.svg`]) {
    assert.equal((await fetch(`${desk.url}/help/files/${name}`)).status, 404)
  }
})
