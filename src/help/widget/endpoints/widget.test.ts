import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aField } from '../../../../test/support/fields.ts'
import { aForm } from '../../../../test/support/forms.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const admin = await anAdmin(desk)
let serial = 0

async function settings(changes: object) {
  const reply = await desk.post('/api/admin/settings/update', admin, changes)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(desk.url + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(desk.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
    redirect: 'manual'
  })
  return { status: response.status, text: await response.text() }
}

async function newSecret(given: object = {}): Promise<string> {
  const reply = await desk.post('/api/admin/widget/rotate', await anAdmin(desk), given)
  assert.equal(reply.status, 200)
  return reply.data.secret
}

function signed(secret: string, claims: object, encoding: 'base64url' | 'hex' = 'base64url'): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${createHmac('sha256', secret).update(payload).digest(encoding)}`
}

function inSeconds(seconds: number): number {
  return Math.floor(desk.clock.now().getTime() / 1000) + seconds
}

function ticket(given: object = {}) {
  return { department_id: '1', subject: `Silent <inverter> ${++serial}`, message: 'It hums\nno more.', ...given }
}

async function ticketsOf(email: string) {
  return await desk.db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('clients.email', '=', email)
    .select(['subject', 'first_name', 'last_name'])
    .execute()
}

test('K15 the script has at most 12 kB when packed with that of its frame, is for pages of every site, and sets no cookie', async () => {
  const [script, frame] = [await get('/widget.js'), await get('/widget/frame.js')]

  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type')!, /^text\/javascript/)
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.ok(gzipSync(script.text).length + gzipSync(frame.text).length < 12_000)
  for (const { text, headers } of [script, frame]) {
    assert.equal(headers.get('set-cookie'), null)
    assert.doesNotMatch(text, /cookie *=|localStorage|sessionStorage|indexedDB|innerHTML|eval\(/)
  }
  const again = await get('/widget.js', { 'if-none-match': script.headers.get('etag')! })
  assert.equal(again.status, 304)
})

test('K15 only the frame may be shown in other pages, and only in those of the origins that an admin allows', async () => {
  const paths = ['/widget', '/widget/en', '/widget/en/write', '/widget/en/articles/999', '/widget/xx?search=a']
  const policy = async (path: string) => {
    const { headers } = await get(path)
    const csp = headers.get('content-security-policy')!
    return `${/frame-ancestors [^;]*/.exec(csp)} ${headers.get('x-frame-options')}`
  }
  for (const path of paths) assert.equal(await policy(path), "frame-ancestors 'none' null", path)

  await settings({ widget_origins: ['https://www.example.com', 'http://localhost:8080'] })

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

  const found = await get('/widget/en?search=zebra', { cookie })
  const german = await get('/widget/de?search=zebra')
  const article = await get(`/widget/en/articles/${open.id}`, { cookie })
  const hidden = await get(`/widget/en/articles/${own.id}`, { cookie })

  assert.ok(found.text.includes('Reset the inverter') && !found.text.includes('Zebra for clients'))
  assert.ok(found.text.includes(`href="/widget/en/articles/${open.id}"`))
  assert.ok(german.text.includes('Wechselrichter neu starten') && german.text.includes('Schreiben Sie uns'))
  assert.ok(article.text.includes('<strong>zebra</strong>') && article.text.includes('This answered it'))
  assert.deepEqual([hidden.status, hidden.text.includes('Zebra')], [404, false])
  assert.equal((await get('/widget/en/articles/x')).status, 404)
  const said = await send(`/widget/en/articles/${open.id}`, {})
  assert.deepEqual([said.status, /glad that it helped/.test(said.text)], [200, true])
  const numbers = await desk.post('/api/admin/kb/numbers', admin)
  assert.equal(numbers.data.numbers.solved, 1)
})

test('K15 without an identity it is the open form: closed until the desk has one, by its limits, and refused from other sites', async () => {
  const path = '/widget/en/write'
  const email = 'stranger@example.com'
  const written = ticket({ name: 'Katharina Brandt', email })

  const closed = [await get(path), await send(path, written)]
  for (const { text } of closed)
    assert.ok(text.includes('Please sign in to write to us.') && !text.includes('<textarea'))
  assert.equal(closed[1]!.status, 403)
  await settings({ tickets_without_account: 1 })
  const before = await desk.rowCounts()
  const crossSite = await send(path, written, { 'sec-fetch-site': 'cross-site' })
  const unfit = await send(path, { ...written, email: 'nobody', message: '' })
  const missing = await send('/widget/de/write', { ...written, message: ' ' })

  assert.equal(crossSite.status, 403)
  assert.equal(unfit.status, 400)
  assert.match(missing.text, /<textarea name="message"[^>]* aria-invalid="true"[^>]*>.*Bitte ausfüllen\./s)
  assert.ok(missing.text.includes('value="Katharina Brandt"') && missing.text.includes('Silent &#60;inverter&#62;'))
  assert.deepEqual(await desk.rowCounts(), before)

  const sent = await send(path, written)
  assert.deepEqual([sent.status, /An e-mail to your address/.test(sent.text)], [200, true])
  assert.deepEqual(
    (await ticketsOf(email)).map(({ subject }) => subject),
    [written.subject]
  )
})

test('K15 the questions of the department are asked, with those that depend on an answer', async () => {
  await settings({ tickets_without_account: 1 })
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

  const first = await get(path)
  const chosen = await send(path, { ...written, again: '1' })
  const answered = await send(path, { ...written, [`fields[${plan.key}]`]: String(gold), again: '1' })
  const sentWithout = await send(path, { ...written, [`fields[${plan.key}]`]: String(gold) })
  const preset = await get(`${path}?deptid=${deptid}`)

  assert.ok(first.text.includes('<select name="department_id"') && !first.text.includes('Plan'))
  assert.ok(chosen.text.includes('Plan') && !chosen.text.includes('Why so'))
  assert.ok(answered.text.includes('Why so') && answered.text.includes('In a word'))
  assert.match(sentWithout.text, new RegExp(`id="f-fields\\[${why.key}\\]"[^>]* aria-invalid`))
  assert.equal(sentWithout.status, 400)
  assert.ok(preset.text.includes(`name="department_id" value="${deptid}"`) && preset.text.includes('Plan'))
  assert.deepEqual(await ticketsOf(email), [])
  const sent = await send(path, {
    ...written,
    [`fields[${plan.key}]`]: String(gold),
    [`fields[${why.key}]`]: 'Because'
  })
  assert.equal(sent.status, 200)
  assert.equal((await ticketsOf(email)).length, 1)
})

test('K15 whom a site has signed writes as that person, also where the desk has no open form, and into an account without asking', async () => {
  await settings({ tickets_without_account: 0 })
  const secret = await newSecret()
  const ada = await aClient(desk)
  const path = '/widget/en/write'
  for (const encoding of ['base64url', 'hex'] as const) {
    const identity = signed(secret, { email: ada.email.toUpperCase(), name: 'Somebody', exp: inSeconds(600) }, encoding)
    const shown = await send(path, { identity, again: '1' })
    assert.match(shown.text, /You write as Somebody, .*<textarea/s)
    assert.equal(shown.text.includes('name="email"'), false)
    // What else is sent names nobody.
    const sent = await send(path, ticket({ identity, name: 'Eve', email: 'eve@example.com' }))
    assert.equal(sent.status, 200)
  }
  assert.equal((await ticketsOf(ada.email)).length, 2)
  assert.deepEqual(await ticketsOf('eve@example.com'), [])

  const identity = signed(secret, { email: 'new@example.com', name: 'Grace Hopper', exp: inSeconds(600) })
  assert.equal((await send(path, ticket({ identity }))).status, 200)
  assert.deepEqual(
    (await ticketsOf('new@example.com')).map(({ first_name, last_name }) => [first_name, last_name]),
    [['Grace', 'Hopper']]
  )
  const nameless = signed(secret, { email: 'nameless@example.com', exp: inSeconds(600) })
  assert.equal((await send(path, ticket({ identity: nameless }))).status, 200)
  assert.equal((await ticketsOf('nameless@example.com')).length, 1)
})

test('K15 an identity that is forged, expired, or good for more than a day names nobody, and nothing is written', async () => {
  await settings({ tickets_without_account: 0 })
  const secret = await newSecret({ end_former: 1 })
  const ada = await aClient(desk)
  const claims = { email: ada.email, name: 'Ada', exp: inSeconds(600) }
  const genuine = signed(secret, claims)
  const [payload, signature] = genuine.split('.') as [string, string]
  const changed = Buffer.from(JSON.stringify({ ...claims, email: 'eve@example.com' })).toString('base64url')
  const before = await desk.rowCounts()
  for (const [what, identity] of Object.entries({
    'another secret': signed('another', claims),
    'no secret': signed('', claims),
    'another payload': `${changed}.${signature}`,
    'no signature': `${payload}.`,
    'a part of the signature': `${payload}.${signature.slice(0, 20)}`,
    expired: signed(secret, { ...claims, exp: inSeconds(0) }),
    'for two days': signed(secret, { ...claims, exp: inSeconds(2 * 86_400) }),
    'for ever': signed(secret, { email: ada.email, name: 'Ada' }),
    milliseconds: signed(secret, { ...claims, exp: desk.clock.now().getTime() + 600_000 }),
    'a text as its end': signed(secret, { ...claims, exp: String(inSeconds(600)) }),
    'no address': signed(secret, { name: 'Ada', exp: inSeconds(600) }),
    'no object': signed(secret, [null]),
    'no JSON': `eA.${createHmac('sha256', secret).update('eA').digest('base64url')}`,
    'very long': `${'a'.repeat(3_000)}.${signature}`
  })) {
    const refused = await send('/widget/en/write', ticket({ identity, name: 'Ada', email: ada.email }))
    assert.equal(refused.status, 401, what)
    assert.equal(refused.text.includes(identity), false, what)
  }
  const noAddress = signed(secret, { email: 'nobody', name: 'x', exp: inSeconds(600) })
  assert.equal((await send('/widget/en/write', ticket({ identity: noAddress }))).status, 400)
  assert.deepEqual(await desk.rowCounts(), before)

  // Where the desk has an open form, it says that it does not know them, and they may go on as a stranger.
  await settings({ tickets_without_account: 1 })
  const told = await send('/widget/en/write', ticket({ identity: signed('another', claims), again: '1' }))
  assert.ok(told.text.includes('could not tell us who you are') && told.text.includes('name="email"'))
})

test('K15 a secret is shown once and sealed; the former one is taken for a day, or not any more', async () => {
  const who = (secret: string) => signed(secret, { email: 'turn@example.com', name: 'T', exp: inSeconds(600) })
  const isTaken = async (secret: string) =>
    (await send('/widget/en/write', { identity: who(secret), again: '1' })).text.includes('You write as T')
  const first = await newSecret({ end_former: 1 })
  const second = await newSecret()

  assert.deepEqual([await isTaken(first), await isTaken(second)], [true, true])
  const { widget } = (await desk.post('/api/admin/widget/detail', admin)).data
  assert.ok(widget.secret_created_at && widget.former_secret_until)
  const stored = JSON.stringify(await desk.db.selectFrom('widget_secrets').selectAll().execute())
  const logged = JSON.stringify(
    await desk.db.selectFrom('events').selectAll().where('kind', '=', 'widget.secret_rotated').execute()
  )
  for (const text of [stored, logged, JSON.stringify(widget)])
    assert.ok(!text.includes(first) && !text.includes(second))
  desk.clock.turn(86_401)
  assert.deepEqual([await isTaken(first), await isTaken(second)], [false, true])
  const third = await newSecret({ end_former: 1 })
  assert.deepEqual([await isTaken(second), await isTaken(third)], [false, true])
  const both = await Promise.all([newSecret(), newSecret()])
  for (const secret of both) assert.equal(await isTaken(secret), true)
})

test('K15 an identity opens as many tickets as the open form lets one address and network have, and no more', async () => {
  const most = desk.services.config.MAX_OPEN_TICKETS_PER_ADDRESS
  const secret = await newSecret()
  const identity = signed(secret, { email: 'often@example.com', name: 'O', exp: inSeconds(600) })
  const sent = []
  for (let at = 0; at <= most; at++) sent.push(await send('/widget/en/write', ticket({ identity })))

  assert.deepEqual(
    sent.map(({ status }) => status),
    [...Array.from({ length: most }, () => 200), 429]
  )
  assert.match(sent.at(-1)!.text, /Too many tickets came from here/)
})
