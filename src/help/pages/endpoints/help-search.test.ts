import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const signIn = await fetch(`${desk.url}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-deskline-session': 'client' },
  body: JSON.stringify({ email: ada.email, password: ada.password })
})
const clientCookie = signIn.headers
  .getSetCookie()
  .find(each => each.startsWith('deskline-help-client='))!
  .split(';', 1)[0]!

async function get(path: string, cookie?: string, headers: Record<string, string> = {}) {
  const response = await fetch(desk.url + path, { headers: { ...(cookie && { cookie }), ...headers } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the first page and what a search has found may run the script that finds while one types, and no other page', async () => {
  const { id } = await anArticle(desk, admin)
  const { path } = (await desk.post('/api/kb/article', undefined, { id })).data.article
  const [home, found, article, script] = [
    await get('/help/en'),
    await get('/help/en?search=anything'),
    await get(path),
    await get('/help/search.js')
  ]
  const again = await get('/help/en', undefined, { 'if-none-match': home.headers.get('etag')! })

  for (const { headers } of [home, found, again]) {
    assert.match(
      headers.get('content-security-policy')!,
      /^default-src 'none'; .*script-src 'self'; connect-src 'self'$/
    )
  }
  assert.equal(again.status, 304)
  for (const { text } of [home, found]) assert.match(text, /<script src="\/help\/search\.js" defer><\/script>/)
  assert.equal(article.status, 200)
  assert.doesNotMatch(article.headers.get('content-security-policy')!, /script-src/)
  assert.deepEqual([script.status, script.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
})

test('whoever finds nothing writes, and their words become the subject; who is not signed in is offered to sign in', async () => {
  const nothing = await get('/help/en?search=%22no+such%22+%26words')
  const signedIn = await get('/help/en?search=nosuchword', clientCookie)
  const [home, own] = [await get('/help/en'), await get('/help/en', clientCookie)]
  await desk.post('/api/admin/settings/update', admin, { tickets_without_account: 1 })
  const [open, ownOpen] = [
    await get('/help/en?search=nosuchword'),
    await get('/help/en?search=nosuchword', clientCookie)
  ]
  await desk.post('/api/admin/settings/update', admin, { tickets_without_account: 0 })

  assert.match(
    nothing.text,
    /href="\/new\?subject=%22no\+such%22\+%26words">Write to us<\/a>: we take over what you typed/
  )
  assert.match(signedIn.text, /href="\/new\?subject=nosuchword"/)
  assert.match(open.text, /href="\/open\?subject=nosuchword"/)
  assert.match(ownOpen.text, /href="\/new\?subject=nosuchword"/)
  assert.match(home.text, /href="\/sign-in">Sign in<\/a><a class="btn primary" href="\/new">Write to us</)
  assert.match(own.text, /href="\/">My tickets<\/a><a class="btn primary" href="\/new">New ticket</)
})
