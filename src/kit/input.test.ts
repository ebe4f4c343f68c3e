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

test('a yes or no is read from true and false as well, in any encoding', async () => {
  const view = { name: 'Mine', query: { watched: true, merged: 'false', unassigned: '1' } }
  const create = (is_shared: unknown) => desk.post('/api/admin/views/create', admin, { ...view, is_shared })

  const [shared, own] = [await create(true), await create('0')]
  const inForm = { ...view, query: JSON.stringify(view.query), is_shared: 'true' }
  const asForm = await desk.post('/api/admin/views/create', admin, inForm, 'form')

  assert.deepEqual(shared.data.view.query, { unassigned: 1, watched: 1, merged: 0 })
  assert.deepEqual(
    [shared, own, asForm].map(({ data }) => data.view.is_shared),
    [1, 0, 1]
  )
  for (const wrong of [2, 'yes', [true]]) assert.equal((await create(wrong)).status, 400)
})
