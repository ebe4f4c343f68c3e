import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient, type Person } from '../../../test/support/people.ts'

// Behind a proxy, so that a test can choose the callers' addresses.
const desk = await bootDesk({ config: { TRUST_PROXY: 1 } })

async function post(at: Desk, path: string, from: string, body: object, who?: { token: string }) {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': from,
    ...(who ? { authorization: `Bearer ${who.token}` } : {})
  }
  const response = await fetch(at.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, data: ((await response.json()) as { data: { code: string; token: string } }).data }
}

async function codeFor({ email }: Person, at = desk): Promise<string> {
  return (await post(at, '/api/auth/send-email-verification', '192.0.2.1', { email })).data.code
}

async function verify({ email }: Person, from: string, code: string, { at = desk, who }: Partial<Ways> = {}) {
  return (await post(at, '/api/auth/verify-email', from, { email, code }, who)).status
}

interface Ways {
  at: Desk
  who: { token: string }
}

/** Codes that are wrong, as many as are asked for. */
function wrongCodes(code: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0'))
}

test('the wrong codes of a stranger spend a code for their network alone, and its owner uses it', async () => {
  const ada = await aClient(desk)
  const code = await codeFor(ada)
  const wrong = []

  for (const guess of wrongCodes(code, 30)) wrong.push(await verify(ada, '203.0.113.9', guess))
  const stranger = await verify(ada, '203.0.113.9', code)
  const owner = await verify(ada, '192.0.2.1', code)

  assert.deepEqual([new Set(wrong), stranger, owner], [new Set([400, 429]), 429, 200])
})

test('however many networks strangers guess from, they have 200 tries a day, and whoever is logged in is let through', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1, MAX_WRONG_CODES: 3, ALL_NETWORKS_FACTOR: 4 } })
  const ada = await aClient(own)
  const code = await codeFor(ada, own)
  const statuses = []

  for (const [at, guess] of wrongCodes(code, 16).entries()) {
    statuses.push(await verify(ada, `203.0.113.${at}`, guess, { at: own }))
  }
  const stranger = await verify(ada, '198.51.100.1', code, { at: own })
  own.clock.turn(600)
  const later = await verify(ada, '198.51.100.2', code, { at: own })
  const { email, password } = ada
  const session = (await post(own, '/api/auth/login', '192.0.2.1', { email, password })).data
  const owner = await verify(ada, '198.51.100.3', code, { at: own, who: session })

  assert.deepEqual(statuses, [...Array(12).fill(400), ...Array(4).fill(429)])
  assert.deepEqual([stranger, later, owner], [429, 429, 200])
})

test('whoever is logged in to the account, or on its network, has five tries of a code in all, wherever they go', async () => {
  const ada = await aClient(desk)
  const { email, password } = ada
  const session = (await post(desk, '/api/auth/login', '192.0.2.61', { email, password })).data
  const code = await codeFor(ada)
  const [one, two, three, four, five] = wrongCodes(code, 5) as [string, string, string, string, string]

  const wrong = [
    await verify(ada, '192.0.2.61', one),
    await verify(ada, '192.0.2.61', two),
    await verify(ada, '198.51.100.4', three, { who: session }),
    await verify(ada, '198.51.100.5', four, { who: session }),
    await verify(ada, '198.51.100.6', five, { who: session })
  ]
  const spent = [
    await verify(ada, '192.0.2.61', code),
    await verify(ada, '198.51.100.7', code, { who: session }),
    await verify(ada, '198.51.100.8', code)
  ]

  assert.deepEqual([...wrong, ...spent], Array(8).fill(400))
})

test("somebody else's session is a stranger's", async () => {
  const [ada, mallory] = [await aClient(desk), await aClient(desk)]
  const code = await codeFor(ada)

  for (const guess of wrongCodes(code, 5)) await verify(ada, '203.0.113.20', guess, { who: mallory })
  const stranger = await verify(ada, '203.0.113.20', code, { who: mallory })
  const owner = await verify(ada, '192.0.2.71', code)

  assert.deepEqual([stranger, owner], [400, 200])
})
