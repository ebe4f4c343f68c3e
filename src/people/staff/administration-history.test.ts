import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { anAdmin, aSupporter } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { replaceAdminPassword } from './first-admin.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

async function eventsAbout(id: number): Promise<[action: string, before: unknown, after: unknown][]> {
  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'staff')
    .where('target_id', '=', id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  return rows.map(({ action, before, after }) => [action, before, after])
}

test('the audit log tells what an admin made of a supporter: which fields were changed, not what was in them', async () => {
  const person = { first_name: 'Mary', last_name: 'Kenneth', email: 'mary@example.com', password: 'correct horse' }
  const created = await desk.post('/api/admin/staff/create', admin, { ...person, permissions: ['clients.view'] })
  const id: number = created.data.user_id
  await desk.post('/api/admin/auth/login', undefined, { email: person.email, password: person.password })

  await desk.post('/api/admin/staff/permissions', admin, { id, permissions: ['tickets.reply', 'clients.view'] })
  await desk.post('/api/admin/staff/update', admin, {
    id,
    first_name: 'Marie',
    phone_number: '+1',
    password: 'horse battery'
  })
  await desk.post('/api/admin/staff/update', admin, { id, is_active: 0 })
  await desk.post('/api/admin/staff/delete', admin, { id })

  assert.deepEqual(await eventsAbout(id), [
    ['staff.created', null, { role: 'supporter', permissions: ['clients.view'] }],
    ['staff.signed_in', null, { second_factor: 'none' }],
    ['staff.permissions_set', { permissions: ['clients.view'] }, { permissions: ['clients.view', 'tickets.reply'] }],
    [
      'staff.updated',
      { is_active: true },
      { is_active: true, fields: ['first_name', 'phone_number'], sessions_ended: 0 }
    ],
    ['password.changed', null, { by: 'admin', sessions_ended: 1 }],
    ['staff.updated', { is_active: true }, { is_active: false, fields: ['is_active'], sessions_ended: 0 }],
    ['staff.deleted', { is_active: false, permissions: ['tickets.reply', 'clients.view'] }, null]
  ])
})

test('what changes nothing is no event', async () => {
  const { id, first_name } = await aSupporter(desk, 'clients.view', 'staff.view')

  await desk.post('/api/admin/staff/update', admin, { id, first_name, is_active: 1 })
  await desk.post('/api/admin/staff/update', admin, { id })
  await desk.post('/api/admin/staff/permissions', admin, { id, permissions: ['staff.view', 'clients.view'] })

  assert.deepEqual(await eventsAbout(id), [])
})

test('a command that gives an admin a new password is recorded, and that it let them in again', async () => {
  const { id, email } = await anAdmin(desk)
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', id).execute()

  await replaceAdminPassword(desk.services, { email, password: 'battery staple' })

  assert.deepEqual(await eventsAbout(id), [
    ['staff.updated', { is_active: false }, { is_active: true, fields: ['is_active'], sessions_ended: 0 }],
    ['password.changed', null, { by: 'command', sessions_ended: 1 }]
  ])
})
