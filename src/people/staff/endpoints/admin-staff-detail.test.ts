import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin, aSupporter } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const viewer = await aSupporter(desk, 'staff.view')

for (const [path, body, encoding] of [
  ['/api/admin/staff/detail', { id: viewer.id }, 'json'],
  ['/api/admin/staff/detail', { id: String(viewer.id) }, 'json'],
  ['/api/admin/staff/detail', { id: viewer.id }, 'form'],
  ['/api/admin/staff/detail', { id: viewer.id }, 'multipart'],
  [`/api/admin/staff/${viewer.id}`, undefined, 'json'],
  [`/api/admin/staff/${viewer.id}/detail`, { id: 999_999 }, 'json']
] as const) {
  test(`${path} shows a member of staff to who holds staff.view (${JSON.stringify(body)} as ${encoding})`, async () => {
    const { status, data } = await desk.post(path, viewer, body, encoding)

    assert.equal(status, 200)
    assert.deepEqual(data, {
      staff: {
        id: viewer.id,
        first_name: 'Grace',
        last_name: 'Hopper',
        email: viewer.email,
        phone_number: null,
        role: 'supporter',
        is_active: 1,
        permissions: ['staff.view']
      }
    })
  })
}

test('an admin is shown with *, even where grants were left behind', async () => {
  await desk.db.insertInto('staff_permissions').values({ staff_id: admin.id, permission_slug: 'staff.view' }).execute()

  const { data } = await desk.post('/api/admin/staff/detail', viewer, { id: admin.id })

  assert.equal(data.staff.role, 'admin')
  assert.deepEqual(data.staff.permissions, ['*'])
})

test('an id that nobody has is not found; what is no id is invalid in a body and not found in a path', async () => {
  const statuses = [
    await desk.post('/api/admin/staff/detail', admin, { id: 999_999 }),
    await desk.post('/api/admin/staff/detail', admin, { id: Number.MAX_SAFE_INTEGER }),
    await desk.post('/api/admin/staff/999999', admin),
    await desk.post('/api/admin/staff/0', admin),
    await desk.post('/api/admin/staff/grace', admin),
    await desk.post('/api/admin/staff/detail', admin, { id: 0 }),
    await desk.post('/api/admin/staff/detail', admin, { id: 'grace' })
  ].map(reply => reply.status)

  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 400, 400])
})
