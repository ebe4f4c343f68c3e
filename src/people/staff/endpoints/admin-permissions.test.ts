import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()

test('the catalogue has the 12 permissions of the contract, as a list and by category', async () => {
  const { status, data } = await desk.post('/api/admin/permissions', await anAdmin(desk))

  assert.equal(status, 200)
  assert.equal(data.count, 12)
  assert.equal(data.permissions.length, 12)
  assert.deepEqual(data.permissions[0], {
    id: 1,
    slug: 'clients.view',
    name: 'View clients',
    description: 'List clients and read their details',
    category: 'Clients'
  })
  const slugs = Object.entries<{ slug: string }[]>(data.by_category).map(([category, permissions]) => [
    category,
    permissions.map(each => each.slug)
  ])
  assert.deepEqual(slugs, [
    ['Clients', ['clients.view', 'clients.create', 'clients.edit', 'clients.delete']],
    ['Tickets', ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']],
    ['Departments', ['departments.view', 'departments.manage']],
    ['Staff', ['staff.view', 'staff.manage']]
  ])
  assert.deepEqual(data.by_category.Staff[0], { slug: 'staff.view', name: 'View staff' })
})
