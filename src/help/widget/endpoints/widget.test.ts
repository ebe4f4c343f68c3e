import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aField } from '../../../../test/support/fields.ts'
import { aForm } from '../../../../test/support/forms.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'
import { change, get, send, ticket, ticketsOf } from '../../../../test/support/widget.ts'

const desk = await bootDesk({ connections: 10 })
const admin = await anAdmin(desk)

test('K15 the script has at most 12 kB when packed with that of its frame, is for pages of every site, and sets no cookie', async () => {
  const [script, frame] = [await get(desk, '/widget.js'), await get(desk, '/widget/frame.js')]

  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type')!, /^text\/javascript/)
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.ok(gzipSync(script.text).length + gzipSync(frame.text).length < 12_000)
  for (const { text, headers } of [script, frame]) {
    assert.equal(headers.get('set-cookie'), null)
    assert.doesNotMatch(text, /cookie *=|localStorage|sessionStorage|indexedDB|innerHTML|eval\(/)
  }
  const again = await get(desk, '/widget.js', { 'if-none-match': script.headers.get('etag')! })
  assert.equal(again.status, 304)
})

test('K15 only the frame may be shown in other pages, and only in those of the origins that an admin allows', async () => {
  const paths = ['/widget', '/widget/en', '/widget/en/write', '/widget/en/articles/999', '/widget/xx?search=a']
  const policy = async (path: string) => {
    const { headers } = await get(desk, path)
    const csp = headers.get('content-security-policy')!
    return `${/frame-ancestors [^;]*/.exec(csp)} ${headers.get('x-frame-options')}`
  }
  for (const path of paths) assert.equal(await policy(path), "frame-ancestors 'none' null", path)

  await change(desk, { widget_origins: ['https://www.example.com', 'http://localhost:8080'] })

  const allowed = 'frame-ancestors https://www.example.com http://localhost:8080 null'
  for (const path of paths) assert.equal(await policy(path), allowed, path)
  for (const path of ['/help/en', '/', '/desk', '/open', '/api/check', '/widget.js', '/widget/frame.css']) {
    assert.match(await policy(path), /^frame-ancestors 'none' DENY$/i, path)
  }
  const before = await desk.post('/api/admin/settings/detail', admin)
  for (const origin of [
    'https://www.example.com/',
    'https://WWW.example.com',
    'https://a b',
    "https://a; script-src 'unsafe-inline'",
    '*',
    'https://*.example.com',
    'null',
    'example.com',
    'javascript:alert(1)',
    'https://a\nb'
  ]) {
    const refused = await desk.post('/api/admin/settings/update', admin, { widget_origins: [origin] })
    assert.deepEqual([refused.status, refused.body.errors], [400, ['widget_origins']], origin)
  }
  assert.deepEqual((await desk.post('/api/admin/settings/detail', admin)).data, before.data)
})

test('K15 the frame finds what is public alone, whoever is signed in, and shows it in the asked language', async () => {
  const texts = {
    en: { title: 'Reset the inverter', markdown: 'Press **zebra** for <b>ten</b> seconds.' },
    de: { title: 'Wechselrichter neu starten', markdown: 'Zebra drücken.' }
  }
  const open = await anArticle(desk, admin, { texts })
  const own = await anArticle(desk, admin, {
    audience: 'clients',
    texts: { en: { title: 'Zebra for clients', markdown: 'zebra' } }
  })
  const { headers } = await fetch(`${desk.url}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams(await aClient(desk).then(({ email, password }) => ({ email, password })))
  })
  const cookie = headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')

  const found = await get(desk, '/widget/en?search=zebra', { cookie })
  const german = await get(desk, '/widget/de?search=zebra')
  const article = await get(desk, `/widget/en/articles/${open.id}`, { cookie })
  const hidden = await get(desk, `/widget/en/articles/${own.id}`, { cookie })

  assert.ok(found.text.includes('Reset the inverter') && !found.text.includes('Zebra for clients'))
  assert.ok(found.text.includes(`href="/widget/en/articles/${open.id}"`))
  assert.ok(german.text.includes('Wechselrichter neu starten') && german.text.includes('Schreiben Sie uns'))
  assert.ok(article.text.includes('<strong>zebra</strong>') && article.text.includes('This answered it'))
  assert.deepEqual([hidden.status, hidden.text.includes('Zebra')], [404, false])
  assert.equal((await get(desk, '/widget/en/articles/x')).status, 404)
  const said = await send(desk, `/widget/en/articles/${open.id}`, {})
  assert.deepEqual([said.status, /glad that it helped/.test(said.text)], [200, true])
  const numbers = await desk.post('/api/admin/kb/numbers', admin)
  assert.equal(numbers.data.numbers.solved, 1)
})

test('K15 without an identity it is the open form: closed until the desk has one, by its limits, and refused from other sites', async () => {
  const path = '/widget/en/write'
  const email = 'stranger@example.com'
  const written = ticket({ name: 'Katharina Brandt', email })

  const closed = [await get(desk, path), await send(desk, path, written)]
  for (const { text } of closed)
    assert.ok(text.includes('Please sign in to write to us.') && !text.includes('<textarea'))
  assert.equal(closed[1]!.status, 403)
  await change(desk, { tickets_without_account: 1 })
  const before = await desk.rowCounts()
  const crossSite = await send(desk, path, written, { 'sec-fetch-site': 'cross-site' })
  const unfit = await send(desk, path, { ...written, email: 'nobody', message: '' })
  const missing = await send(desk, '/widget/de/write', { ...written, message: ' ' })

  assert.equal(crossSite.status, 403)
  assert.equal(unfit.status, 400)
  assert.match(missing.text, /<textarea name="message"[^>]* aria-invalid="true"[^>]*>.*Bitte ausfüllen\./s)
  assert.ok(missing.text.includes('value="Katharina Brandt"') && missing.text.includes('Silent &#60;inverter&#62;'))
  assert.deepEqual(await desk.rowCounts(), before)

  const sent = await send(desk, path, written)
  assert.deepEqual([sent.status, /An e-mail to your address/.test(sent.text)], [200, true])
  assert.deepEqual(
    (await ticketsOf(desk, email)).map(({ subject }) => subject),
    [written.subject]
  )
})

test('K15 the questions of the department are asked, with those that depend on an answer', async () => {
  await change(desk, { tickets_without_account: 1 })
  const other = await desk.post('/api/admin/departments/create', admin, { name: 'Sales' })
  const { deptid } = other.data.department
  const plan = await aField(desk, admin, {
    kind: 'select',
    label: 'Plan',
    options: [{ label: 'Gold' }, { label: 'Free' }],
    client_access: 'write'
  })
  const why = await aField(desk, admin, { kind: 'text', label: 'Why so', hint: 'In a word', client_access: 'write' })
  const gold = plan.options[0]!.id
  await aForm(desk, admin, {
    deptids: [deptid],
    items: [
      { field_id: plan.id, required: 1 },
      { field_id: why.id, required: 1, show_if: { field_id: plan.id, in: [gold] } }
    ]
  })
  const path = '/widget/en/write'
  const email = 'asked@example.com'
  const written = ticket({ name: 'Asked', email, department_id: String(deptid) })

  const first = await get(desk, path)
  const chosen = await send(desk, path, { ...written, again: '1' })
  const answered = await send(desk, path, { ...written, [`fields[${plan.key}]`]: String(gold), again: '1' })
  const sentWithout = await send(desk, path, { ...written, [`fields[${plan.key}]`]: String(gold) })
  const preset = await get(desk, `${path}?deptid=${deptid}`)

  assert.ok(first.text.includes('<select name="department_id"') && !first.text.includes('Plan'))
  assert.ok(chosen.text.includes('Plan') && !chosen.text.includes('Why so'))
  assert.ok(answered.text.includes('Why so') && answered.text.includes('In a word'))
  assert.match(sentWithout.text, new RegExp(`id="f-fields\\[${why.key}\\]"[^>]* aria-invalid`))
  assert.equal(sentWithout.status, 400)
  assert.ok(preset.text.includes(`name="department_id" value="${deptid}"`) && preset.text.includes('Plan'))
  assert.deepEqual(await ticketsOf(desk, email), [])
  const sent = await send(desk, path, {
    ...written,
    [`fields[${plan.key}]`]: String(gold),
    [`fields[${why.key}]`]: 'Because'
  })
  assert.equal(sent.status, 200)
  assert.equal((await ticketsOf(desk, email)).length, 1)
})
