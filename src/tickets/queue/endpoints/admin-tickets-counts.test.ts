import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'
import { assign, aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const [grace, alan] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.reply')]

const statuses = ['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed'] as const

/** Tickets of every status in two departments, unassigned or assigned to Grace or Alan in turns; some in the trash, some merged. */
for (let at = 0; at < 40; at++) {
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: at % 2 ? 4 : 5 })
  const owner = [undefined, grace, alan][at % 3]
  if (owner) await assign(desk, id, owner.id)
  await desk.db
    .updateTable('tickets')
    .set({
      status: statuses[at % 5]!,
      ...(at % 7 === 6 ? { trashed_at: desk.clock.now() } : {}),
      ...(at % 11 === 10 ? { merged_into_id: 1 } : {})
    })
    .where('id', '=', id)
    .execute()
}

async function total(person: Person, filter: object): Promise<number> {
  const { data } = await desk.post('/api/admin/tickets/list', person, { limit: 100, ...filter })
  assert.equal(data.total, data.tickets.length)
  return data.total
}

test('every count is the number of rows that the list shows for it, whoever asks', async () => {
  const joan = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, joan.id, 4)
  const status = statuses.filter(each => each !== 'Closed')

  for (const person of [grace, alan, joan]) {
    const { data } = await desk.post('/api/admin/tickets/counts', person)

    const expected = {
      mine: await total(person, { assigned_staff_id: person.id, status }),
      unassigned: await total(person, { unassigned: 1, status }),
      open: await total(person, { status }),
      waiting_on_customer: await total(person, { status: 'Answered' }),
      customer_reply: await total(person, { status: 'Customer-Reply' }),
      snoozed: await total(person, { snoozed: 1 }),
      breaching_soon: await total(person, { sla_due: { soon: 1 } }),
      views: []
    }
    const { per_department, ...counts } = data
    assert.deepEqual(counts, expected)
    assert.deepEqual(
      per_department.map((each: { deptid: number }) => each.deptid),
      person === joan ? [4] : [1, 4, 5, 6]
    )
    for (const { deptid: department_id, open, unassigned } of per_department) {
      assert.equal(open, await total(person, { department_id, status }))
      assert.equal(unassigned, await total(person, { department_id, unassigned: 1, status }))
    }
  }
  assert.ok((await total(grace, { status })) > 10)
})

test('a department out of use is counted as long as it has open tickets', async () => {
  await desk.db.updateTable('departments').set({ is_active: false }).where('id', 'in', [4, 6]).execute()

  const { data } = await desk.post('/api/admin/tickets/counts', grace)

  assert.deepEqual(
    data.per_department.map((each: { deptid: number }) => each.deptid),
    [1, 4, 5]
  )
})
