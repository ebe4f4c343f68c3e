import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'

const desk = await bootDesk()

test('departments shows a stranger the four initial ones, by id, each with a short description', async () => {
  const reply = await desk.post('/api/departments')

  assert.equal(reply.status, 200)
  assert.equal(reply.data.count, 4)
  assert.deepEqual(
    reply.data.departments.map(({ description: _, ...department }: { description: string }) => department),
    [
      { id: 1, deptid: 1, name: 'Technical Support', is_active: 1 },
      { id: 4, deptid: 4, name: 'Billing Department', is_active: 1 },
      { id: 5, deptid: 5, name: 'Sales & Pre Sales Department', is_active: 1 },
      { id: 6, deptid: 6, name: 'Abuse Department', is_active: 1 }
    ]
  )
  assert.ok(reply.data.departments.every(({ description }: { description: string }) => description.length > 0))
})

test('departments leaves out what is not active, and shows a missing description as null', async t => {
  await desk.db
    .insertInto('departments')
    .values([
      { deptid: 70, name: 'Gone Department', description: null, is_active: false },
      { deptid: 2, name: 'New Department', description: null }
    ])
    .execute()
  t.after(() => desk.db.deleteFrom('departments').where('id', '>=', 7).execute())

  const reply = await desk.post('/api/departments/list')

  assert.equal(reply.data.count, 5)
  assert.deepEqual(reply.data.departments.at(-1), {
    id: 8,
    deptid: 2,
    name: 'New Department',
    description: null,
    is_active: 1
  })
})
