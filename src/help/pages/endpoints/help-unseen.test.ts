import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aLogo } from '../../../../test/support/logos.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'
import { form } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

/** An article for clients with a picture, at its address, and the cookie of one of them. */
async function forClients() {
  const ada = await aClient(desk)
  const { url } = (await desk.post('/api/admin/kb/files/upload', admin, form({}, aLogo()))).data.file
  const texts = { en: { title: 'Only for clients', markdown: `Secret words. ![A lever](${url})` } }
  const category_id = await aCategory(desk, admin)
  const { id } = await anArticle(desk, admin, { category_id, audience: 'clients', texts })
  const { path } = (await desk.post('/api/kb/article', ada, { id })).data.article
  const answer = await fetch(`${desk.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-deskline-session': 'client' },
    body: JSON.stringify({ email: ada.email, password: ada.password })
  })
  const cookie = answer.headers.getSetCookie().find(each => each.startsWith('deskline-help-client='))!
  return { id, path: path as string, picture: url as string, cookie: cookie.split(';', 1)[0]! }
}

test('K3 K9 whatever a stranger says to have kept already, an unseen page and its picture are 404', async () => {
  const { path, picture, cookie } = await forClients()
  for (const address of [path, picture]) {
    const seen = await fetch(desk.url + address, { headers: { cookie } })
    const etag = seen.headers.get('etag')!
    assert.equal(seen.status, 200)
    assert.equal((await fetch(desk.url + address, { headers: { cookie, 'if-none-match': etag } })).status, 304)

    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': '*' },
      { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() },
      { range: 'bytes=0-10' },
      { cookie: `${cookie}x` },
      { authorization: `Bearer ${cookie.split('=')[1]}` }
    ] as Record<string, string>[]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(desk.url + address, { method, headers })
        assert.equal(answer.status, 404, `${method} ${address} ${JSON.stringify(headers)}`)
        assert.doesNotMatch(await answer.text(), /Secret words|Only for clients/)
      }
    }
  }
})

test('K3 addresses that are written otherwise lead to nothing that is not seen, and names of objects are none', async () => {
  const { path, id, picture } = await forClients()
  const [, , locale, category, slug] = path.split('/') as [string, string, string, string, string]
  for (const address of [
    `${path}/`,
    path.toUpperCase(),
    `/help//${locale}/${category}/${slug}`,
    `/help/${locale}/${category}/%2e%2e/${slug}`,
    `/help/${locale}/${category}/${slug}%00`,
    `/help/${locale}/${category}/${slug}?locale=en&reader=staff`,
    `/help/__proto__/${category}/${slug}`,
    `/help/constructor`,
    `/help/${locale}/constructor/__proto__`
  ]) {
    const answer = await fetch(desk.url + address)
    assert.ok([400, 404].includes(answer.status), `${answer.status} ${address}`)
    assert.doesNotMatch(await answer.text(), /Secret words|Only for clients/)
  }
  assert.equal((await fetch(`${desk.url}${picture}%00`)).status, 404)
  for (const search of ['/help/en?search=a%00b', `/help/en?search=${'%F0%9F%98%80'.repeat(150)}`])
    assert.equal((await fetch(desk.url + search)).status, 200, search)
  for (const said of ['__proto__', 'constructor', 'toString']) {
    const answer = await desk.post('/api/kb/article', undefined, { id, locale: said })
    assert.ok([400, 404].includes(answer.status), said)
    const made = await desk.post('/api/admin/kb/categories/create', admin, {
      name: JSON.parse(`{"${said}":"x","en":"y"}`),
      audience: 'public'
    })
    assert.equal(made.status, 400, said)
  }
})
