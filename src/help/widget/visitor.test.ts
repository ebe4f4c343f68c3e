import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { change, newSecret, send, signed, ticket, ticketsOf } from '../../../test/support/widget.ts'

const desk = await bootDesk({ connections: 10 })
const admin = await anAdmin(desk)

function inSeconds(seconds: number): number {
  return Math.floor(desk.clock.now().getTime() / 1000) + seconds
}

test('K15 whom a site has signed writes as that person, also where the desk has no open form, and into an account without asking', async () => {
  await change(desk, { tickets_without_account: 0 })
  const secret = await newSecret(desk)
  const ada = await aClient(desk)
  const path = '/widget/en/write'
  for (const encoding of ['base64url', 'hex'] as const) {
    const identity = signed(secret, { email: ada.email.toUpperCase(), name: 'Somebody', exp: inSeconds(600) }, encoding)
    const shown = await send(desk, path, { identity, again: '1' })
    assert.match(shown.text, /You write as Somebody, .*<textarea/s)
    assert.equal(shown.text.includes('name="email"'), false)
    // What else is sent names nobody.
    const sent = await send(desk, path, ticket({ identity, name: 'Eve', email: 'eve@example.com' }))
    assert.equal(sent.status, 200)
  }
  assert.equal((await ticketsOf(desk, ada.email)).length, 2)
  assert.deepEqual(await ticketsOf(desk, 'eve@example.com'), [])

  const identity = signed(secret, { email: 'new@example.com', name: 'Grace Hopper', exp: inSeconds(600) })
  assert.equal((await send(desk, path, ticket({ identity }))).status, 200)
  assert.deepEqual(
    (await ticketsOf(desk, 'new@example.com')).map(({ first_name, last_name }) => [first_name, last_name]),
    [['Grace', 'Hopper']]
  )
  const nameless = signed(secret, { email: 'nameless@example.com', exp: inSeconds(600) })
  assert.equal((await send(desk, path, ticket({ identity: nameless }))).status, 200)
  assert.equal((await ticketsOf(desk, 'nameless@example.com')).length, 1)
})

test('K15 an identity that is forged, expired, or good for more than a day names nobody, and nothing is written', async () => {
  await change(desk, { tickets_without_account: 0 })
  const secret = await newSecret(desk, { end_former: 1 })
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
    const refused = await send(desk, '/widget/en/write', ticket({ identity, name: 'Ada', email: ada.email }))
    assert.equal(refused.status, 401, what)
    assert.equal(refused.text.includes(identity), false, what)
  }
  const noAddress = signed(secret, { email: 'nobody', name: 'x', exp: inSeconds(600) })
  assert.equal((await send(desk, '/widget/en/write', ticket({ identity: noAddress }))).status, 400)
  assert.deepEqual(await desk.rowCounts(), before)

  // Where the desk has an open form, it says that it does not know them, and they may go on as a stranger.
  await change(desk, { tickets_without_account: 1 })
  const told = await send(desk, '/widget/en/write', ticket({ identity: signed('another', claims), again: '1' }))
  assert.ok(told.text.includes('could not tell us who you are') && told.text.includes('name="email"'))
})

test('K15 a secret is shown once and sealed; the former one is taken for a day, or not any more', async () => {
  const who = (secret: string) => signed(secret, { email: 'turn@example.com', name: 'T', exp: inSeconds(600) })
  const isTaken = async (secret: string) =>
    (await send(desk, '/widget/en/write', { identity: who(secret), again: '1' })).text.includes('You write as T')
  const first = await newSecret(desk, { end_former: 1 })
  const second = await newSecret(desk)

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
  const third = await newSecret(desk, { end_former: 1 })
  assert.deepEqual([await isTaken(second), await isTaken(third)], [false, true])
  const both = await Promise.all([newSecret(desk), newSecret(desk)])
  for (const secret of both) assert.equal(await isTaken(secret), true)
})

test('K15 an identity opens as many tickets as the open form lets one address and network have, and no more', async () => {
  const most = desk.services.config.MAX_OPEN_TICKETS_PER_ADDRESS
  const secret = await newSecret(desk)
  const identity = signed(secret, { email: 'often@example.com', name: 'O', exp: inSeconds(600) })
  const sent = []
  for (let at = 0; at <= most; at++) sent.push(await send(desk, '/widget/en/write', ticket({ identity })))

  assert.deepEqual(
    sent.map(({ status }) => status),
    [...Array.from({ length: most }, () => 200), 429]
  )
  assert.match(sent.at(-1)!.text, /Too many tickets came from here/)
})
