import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 5 })
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1'
const path = { client: '/api/auth/login', staff: '/api/admin/auth/login' }

async function signIn(person: Person, userAgent: string, { of = 'client', device_token }: SignIn = {}) {
  const { email, password } = person
  const answer = await fetch(desk.url + path[of], {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ email, password, device_token })
  })
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { data: { token: string; refresh_token: string } }).data
}

interface SignIn {
  of?: 'client' | 'staff'
  device_token?: string
}

/** How many e-mails somebody has read. */
const read = new Map<string, number>()

/** The e-mails about new devices that they got since they were last asked for. */
async function told({ email }: Person) {
  const { emails } = await desk.deliver()
  const own = emails.filter(({ to, text }) => to === email && text.includes('/end-sign-in?token='))
  const unread = own.slice(read.get(email) ?? 0)
  read.set(email, own.length)
  return unread
}

const linkIn = (text: string) => new URL(/\S+\/end-sign-in\?token=\S+/.exec(text)![0])

async function open(link: URL, method: 'GET' | 'POST', language = 'en') {
  const answer = await fetch(desk.url + link.pathname + link.search, {
    method,
    headers: { 'accept-language': language }
  })
  return { status: answer.status, html: await answer.text() }
}

test('the first sign-in to an account is no news, and a new device is told of once, to clients and staff alike', async () => {
  for (const [of, person] of [
    ['client', await aClient(desk)],
    ['staff', await aSupporter(desk)]
  ] as const) {
    await signIn(person, firefox, { of })
    assert.deepEqual(await told(person), [])

    await signIn(person, phone, { of })
    const [email, ...others] = await told(person)
    assert.equal(others.length, 0)
    assert.match(email!.text, /Safari on iPhone/)
    assert.match(email!.text, /127\.0\.0\.0\/24/)

    await signIn(person, phone.replace('18.1', '18.2'), { of })
    await signIn(person, firefox.replaceAll('140.0', '141.0'), { of })
    assert.deepEqual(await told(person), [])
  }
})

test('a device that shows a refresh token of the account is known wherever it is, and two sign-ins at once tell once', async () => {
  const client = await aClient(desk)
  const { refresh_token } = await signIn(client, firefox)

  await signIn(client, 'Other/1', { device_token: refresh_token })
  assert.deepEqual(await told(client), [])

  await Promise.all([1, 2, 3].map(() => signIn(client, phone)))
  assert.equal((await told(client)).length, 1)
})

test('its words are ours alone and in the language of the reader: what a program calls itself is not in it', async () => {
  const client = await aClient(desk)
  await signIn(client, firefox)
  assert.equal((await desk.post('/api/account/profile/update', client, { language: 'de' })).status, 200)

  await signIn(client, 'Call 0900 123 now! Firefox')

  const [email] = await told(client)
  assert.match(email!.text, /hat sich jemand auf einem Gerät an Ihrem Konto/)
  assert.doesNotMatch(email!.text, /0900/)
})

test('its link ends the session by a button alone, leads to a new password, and lets the device be told of again', async () => {
  const client = await aClient(desk)
  await signIn(client, firefox)
  const { token } = await signIn(client, phone)
  const [email] = await told(client)
  const link = linkIn(email!.text)
  const isIn = async (token: string) => (await desk.post('/api/account/profile', { token })).status === 200

  const asked = await open(link, 'GET', 'de')
  assert.deepEqual([asked.status, await isIn(token)], [200, true])
  assert.match(asked.html, /<button>Sitzung beenden<\/button>/)
  const ended = await open(link, 'POST')

  assert.deepEqual([ended.status, await isIn(token), await isIn(client.token)], [200, false, true])
  assert.match(ended.html, /<a href="\/forgot">Choose a new password<\/a>/)
  assert.equal((await open(link, 'POST')).status, 200)
  await signIn(client, phone)
  assert.equal((await told(client)).length, 1)
})

test('a link that is invented or a week old ends nothing', async () => {
  const [client, admin] = [await aClient(desk), await anAdmin(desk)]
  await signIn(client, firefox)
  const { token } = await signIn(client, phone)
  const link = linkIn((await told(client))[0]!.text)
  const invented = new URL(link)
  invented.searchParams.set('token', admin.token)
  const before = await desk.rowCounts()

  assert.equal((await open(invented, 'POST')).status, 400)
  desk.clock.turn(8 * 86_400)
  assert.equal((await open(link, 'POST')).status, 400)

  assert.deepEqual(await desk.rowCounts(), before)
  desk.clock.turn(-8 * 86_400)
  assert.equal((await desk.post('/api/account/profile', { token })).status, 200)
})

test('whoever knows the password cannot flood its owner: five in a day; and admins can turn the e-mails off', async () => {
  const [client, admin] = [await aClient(desk), await anAdmin(desk)]
  await signIn(client, firefox)

  for (let at = 0; at < 7; at++) await signIn(client, `Program-${'x'.repeat(at + 1)}`)
  assert.equal((await told(client)).length, 5)

  const other = await aClient(desk)
  await desk.post('/api/admin/settings/update', admin, { new_device_emails: 0 })
  await signIn(other, firefox)
  await signIn(other, phone)
  assert.deepEqual(await told(other), [])
})

test('the list of sessions says the network', async () => {
  const client = await aClient(desk)

  const { sessions } = (await desk.post('/api/account/sessions', client)).data

  assert.equal(sessions[0].network, '127.0.0.0/24')
})
