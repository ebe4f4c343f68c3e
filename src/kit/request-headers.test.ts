import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { bootDesk } from '../../test/support/desk.ts'
import { aClient, anAdmin } from '../../test/support/people.ts'
import { sequencedDatabase } from '../../test/support/sequenced-database.ts'
import { stripForwardedPorts } from './request-headers.ts'

const desk = await bootDesk({ config: { TRUST_PROXY: 1, MAX_FAILURES_PER_ADDRESS: 1 } })

/** Sends these lines as they are, and answers all that comes back. */
async function raw(...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(desk.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  return await text(socket)
}

async function failFrom(forwardedFor: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor }
  const body = JSON.stringify({ email: `nobody.${Math.random()}@example.com`, password: 'wrong' })
  return (await fetch(`${desk.url}/api/auth/login`, { method: 'POST', headers, body })).status
}

test('ports in X-Forwarded-For are no part of the address', async () => {
  for (const [given, meant] of [
    ['192.0.2.1:1234', '192.0.2.1'],
    ['[2001:db8::1]:1234, 192.0.2.7:80', '2001:db8::1, 192.0.2.7'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1, 192.0.2.7', '2001:db8::1, 192.0.2.7'],
    ['nonsense:, 192.0.2.7', 'nonsense:, 192.0.2.7']
  ] as const) {
    const headers = { 'x-forwarded-for': given }
    stripForwardedPorts(headers)
    assert.equal(headers['x-forwarded-for'], meant)
  }

  const statuses = []
  for (const from of ['192.0.2.1:1234', '192.0.2.1:4321', '192.0.2.1', '[2001:db8::1]:1', '[2001:db8::2]:2']) {
    statuses.push(await failFrom(from))
  }
  assert.deepEqual(statuses, [401, 429, 429, 401, 429])
})

test('two Host headers are a 400, whichever comes first', async () => {
  for (const hosts of [
    ['Host: desk.example', 'Host: evil.example'],
    ['Host: evil.example', 'hOsT: desk.example']
  ]) {
    const answer = await raw('POST /api/check HTTP/1.1', ...hosts, 'Content-Length: 0', 'Connection: close')
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*more than one Host header/)
  }
  assert.match(
    await raw('POST /api/check HTTP/1.1', 'Host: desk.example', 'Content-Length: 0', 'Connection: close'),
    / 200 /
  )
})

test('a body in a content encoding is a 415, and identity is none', async () => {
  const send = async (encoding: string) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    return (await fetch(`${desk.url}/api/check`, { method: 'POST', headers, body: '{}' })).status
  }

  assert.deepEqual(
    [await send('gzip'), await send('br, gzip'), await send('made-up'), await send('identity')],
    [415, 415, 415, 200]
  )
})

test("a caller's id for a request is echoed, and what is recorded bears one of ours", async () => {
  const admin = await anAdmin(desk)
  const client = await aClient(desk)
  const headers = {
    authorization: `Bearer ${admin.token}`,
    'content-type': 'application/json',
    'x-request-id': 'chosen-by-the-caller'
  }
  const body = JSON.stringify({ id: client.id, city: 'London' })

  const { status, headers: answered } = await fetch(`${desk.url}/api/admin/clients/update`, {
    method: 'POST',
    headers,
    body
  })

  assert.equal(status, 200)
  assert.equal(answered.get('x-request-id'), 'chosen-by-the-caller')
  const entries = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .select('request_id')
    .where('actor_id', '=', admin.id)
    .execute()
  assert.ok(entries.length > 0)
  for (const { request_id } of entries) assert.match(request_id ?? '', /^[0-9a-f-]{36}$/)
})

test('a long X-Forwarded-For costs no more than its length', t => {
  const split = t.mock.method(String.prototype, 'split')

  stripForwardedPorts({ 'x-forwarded-for': `${','.repeat(1_000)}:` })

  assert.equal(split.mock.callCount(), 1)
})
