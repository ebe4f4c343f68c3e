import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction } from '../src/core/db.ts'
import { bootDesk } from './support/desk.ts'
import { untilLockWait } from './support/lock-waits.ts'
import { aClient, anAdmin, aSupporter, type Person } from './support/people.ts'
import { aTicket } from './support/tickets.ts'

const desk = await bootDesk({ connections: 6 })
const admin = await anAdmin(desk)
const ada = await aClient(desk)
const { ticket_id: id } = await aTicket(desk, ada)

type Ask = (grace: Person) => [path: string, asker: Person, body: object]

// Wherever a row is written that refers to a member of staff: to who asks, and to who is named.
const requests: Record<string, Ask> = {
  'who watches': grace => ['/api/admin/tickets/watch', grace, { id, watching: 1 }],
  'who writes a note': grace => ['/api/admin/tickets/note', grace, { id, note: 'Hm.' }],
  'who answers': grace => ['/api/admin/tickets/reply', grace, { id, message: 'Soon.' }],
  'who replies': grace => ['/api/tickets/reply', grace, { id, message: 'Soon.' }],
  'who keeps a reply': grace => ['/api/admin/canned-replies/create', grace, { title: 'Hello', text: 'Hello.' }],
  'to whom is assigned': grace => ['/api/admin/tickets/assign', admin, { id, staff_id: grace.id, force: 1 }],
  'for whom is opened': grace => [
    '/api/admin/tickets/create',
    admin,
    { client_id: ada.id, department_id: 1, subject: 'S', message: 'M', assigned_staff_id: grace.id }
  ],
  'who becomes a member': grace => ['/api/admin/departments/members', admin, { deptid: 4, staff_ids: [grace.id] }],
  'to whom is granted': grace => [
    '/api/admin/staff/permissions',
    admin,
    { id: grace.id, permissions: ['clients.view'] }
  ],
  'who sets a password': grace => ['/api/admin/staff/update', admin, { id: grace.id, password: 'battery staple' }]
}

for (const [who, ask] of Object.entries(requests)) {
  test(`${who} and is deleted meanwhile meets a refusal, not a fault, and nothing is written`, async () => {
    const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
    const before = await desk.rowCounts()
    const [path, asker, body] = ask(grace)

    const { answer } = await transaction(desk.db, async db => {
      await db.deleteFrom('staff').where('id', '=', grace.id).execute()
      const answer = desk.post(path, asker, body)
      await untilLockWait(desk)
      return { answer }
    })

    const { status, body: told } = await answer
    assert.ok([400, 401, 404, 409].includes(status), `${status} ${told.message}`)
    const { staff, staff_permissions, sessions, refresh_tokens, ...others } = await desk.rowCounts()
    assert.deepEqual({ ...before, ...others }, before)
    assert.equal(staff, before.staff! - 1)
  })
}
