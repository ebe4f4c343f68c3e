import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { untilLockWait } from '../../../../test/support/lock-waits.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket, form } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 10 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

test('of several who name the same deptid at once one gets it, and those who name none get different ones', async () => {
  const named = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'One', deptid: 500 })))
  const unnamed = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'Any' })))

  assert.deepEqual(named.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409])
  assert.equal(new Set(unnamed.map(({ data }) => data.department.deptid)).size, 5)
})

test('a ticket that is opened while its department is deleted moves along or is refused, and is never lost', async () => {
  for (let round = 0; round < 4; round++) {
    const { deptid } = (await create({ name: `Round ${round}` })).data.department
    await aTicket(desk, ada, { department_id: deptid })
    const fields = { department_id: deptid, subject: 'Meanwhile', message: 'Just now.' }
    const before = await opened()

    const [deleted, ...opening] = await Promise.all([
      desk.post('/api/admin/departments/delete', admin, { id: deptid, move_to_department_id: 4 }),
      ...Array.from({ length: 4 }, () => desk.post('/api/tickets/create', ada, form(fields)))
    ])

    const taken = opening.filter(({ status }) => status === 201)
    assert.equal(deleted.status, 200)
    assert.ok(opening.every(({ status }) => status === 201 || status === 400))
    assert.equal(await opened(), before + taken.length)
    assert.equal(deleted.data.tickets_moved, 1 + taken.length)
  }
})

test('a ticket that waits for its department to be deleted is told that there is none', async () => {
  const { deptid } = (await create({ name: 'Going' })).data.department
  const fields = { department_id: deptid, subject: 'Meanwhile', message: 'Just now.' }

  const opening = await desk.db.transaction().execute(async db => {
    await db.deleteFrom('departments').where('deptid', '=', deptid).execute()
    const opening = desk.post('/api/tickets/create', ada, form(fields))
    await untilLockWait(desk)
    return { opening }
  })
  const { status, body } = await opening.opening

  assert.deepEqual([status, body.errors], [400, ['department_id']])
})

test('two departments that are deleted into one another at once do not both go', async () => {
  const [one, two] = [await create({ name: 'One' }), await create({ name: 'Two' })].map(
    ({ data }) => data.department.deptid
  )
  for (const department_id of [one, two]) await aTicket(desk, ada, { department_id })

  const replies = await Promise.all([
    desk.post('/api/admin/departments/delete', admin, { id: one, move_to_department_id: two }),
    desk.post('/api/admin/departments/delete', admin, { id: two, move_to_department_id: one })
  ])

  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400])
})

test('members who are set twice at once are those of one of the two', async () => {
  const [grace, alan] = [await aSupporter(desk), await aSupporter(desk)]
  const set = (...staff_ids: number[]) =>
    desk.post('/api/admin/departments/members', admin, { id: 5, staff_ids, confirm_unlimited: 1 })

  const replies = await Promise.all([set(grace.id), set(alan.id), set(grace.id), set(alan.id)])

  const { members } = (await desk.post('/api/admin/departments/members', admin, { id: 5 })).data
  assert.ok(replies.every(({ status, data }) => status === 200 && data.count === 1))
  assert.equal(members.length, 1)
})

test('of the last two active departments one stays, whoever takes them out of use or deletes them at once', async () => {
  const all = (await desk.post('/api/admin/departments/list', admin)).data.departments
  const { deptid: other } = (await create({ name: 'Last' })).data.department
  for (const { deptid } of all) {
    if (deptid !== 4) await desk.post('/api/admin/departments/update', admin, { id: deptid, is_active: 0 })
  }

  const replies = await Promise.all([
    desk.post('/api/admin/departments/update', admin, { id: 4, is_active: 0 }),
    desk.post('/api/admin/departments/delete', admin, { id: other })
  ])

  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  assert.equal((await desk.post('/api/departments')).data.count, 1)
})

function create(fields: object) {
  return desk.post('/api/admin/departments/create', admin, fields)
}

async function opened(): Promise<number> {
  const { count } = await desk.db
    .selectFrom('tickets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
