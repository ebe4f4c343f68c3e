import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../test/support/desk.ts'
import { aClient, anAdmin } from '../../test/support/people.ts'

const desk = await bootDesk()

test('names of people, departments, tags and canned replies are on one line', async () => {
  const admin = await anAdmin(desk)
  const client = await aClient(desk)
  const person = { first_name: 'Eve', last_name: 'Example', email: 'eve@example.com', password: 'correct horse' }
  const before = await desk.rowCounts()

  for (const broken of ['Eve\r\nBcc: all@example.com', 'Eve\nAdmin wrote:', 'Eve\u2028Admin']) {
    for (const [path, asker, body, field] of [
      ['/api/auth/signup', undefined, { ...person, first_name: broken }, 'first_name'],
      ['/api/auth/signup', undefined, { ...person, company_name: broken }, 'company_name'],
      ['/api/account/profile/update', client, { last_name: broken }, 'last_name'],
      ['/api/admin/staff/create', admin, { ...person, last_name: broken }, 'last_name'],
      ['/api/admin/clients/update', admin, { id: client.id, first_name: broken }, 'first_name'],
      ['/api/admin/departments/create', admin, { name: broken }, 'name'],
      ['/api/admin/tags/create', admin, { name: broken, color: '#c0392b' }, 'name'],
      ['/api/admin/canned-replies/create', admin, { title: broken, text: 'Hello' }, 'title']
    ] as const) {
      const reply = await desk.post(path, asker, body)
      assert.equal(reply.status, 400, path)
      assert.deepEqual(reply.body.errors, [field], path)
    }
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a line break behind a name is trimmed, like any blank', async () => {
  const admin = await anAdmin(desk)

  const reply = await desk.post('/api/admin/departments/create', admin, { name: 'Returns\r\n' })

  assert.equal(reply.status, 201)
})
