import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../test/support/desk.ts'
import { anAdmin, aSupporter } from '../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const supporter = await aSupporter(desk)

test('a list that a form carries as JSON is bounded in depth like any JSON', async () => {
  for (const permissions of [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, '['.repeat(100_000)]) {
    const body = { id: supporter.id, permissions }
    for (const encoding of ['form', 'multipart', 'json'] as const) {
      const reply = await desk.post('/api/admin/staff/permissions', admin, body, encoding)

      assert.equal(reply.status, 400, encoding)
    }
  }
})

test('what a form names after the inside of objects is a field that nobody declared', async () => {
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__[is_admin]',
    'constructor.prototype'
  ]
  const body = Object.fromEntries(names.map(name => [name, 'x']))

  for (const encoding of ['form', 'multipart'] as const) {
    assert.equal((await desk.post('/api/check', undefined, body, encoding)).status, 200)
  }
  const reply = await fetch(`${desk.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"__proto__": {"email": "ada@example.com", "password": "x"}, "constructor": {"prototype": {"password": "x"}}}'
  })

  assert.equal(reply.status, 400)
  assert.deepEqual(((await reply.json()) as { errors: string[] }).errors, ['email', 'password'])
  assert.equal(({} as { email?: string }).email, undefined)
})
