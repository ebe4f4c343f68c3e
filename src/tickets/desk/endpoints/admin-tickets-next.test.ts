import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket, auditedActions, limitTo, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const path = '/api/admin/tickets/next'

/** Opens tickets a minute apart, oldest first; returns their ids. */
async function opened(desk: Desk, client: Person, departments: number[]): Promise<number[]> {
  const ids: number[] = []
  for (const department_id of departments) {
    ids.push((await aTicket(desk, client, { department_id })).ticket_id)
    desk.clock.turn(60)
  }
  return ids
}

test('an agent who sees nothing gets the longest waiting ticket that nobody has, recorded as any assignment', async () => {
  const desk = await bootDesk()
  const [ada, alan] = [await aClient(desk), await aSupporter(desk, 'tickets.reply')]
  const [first, second] = await opened(desk, ada, [1, 4])

  const one = await desk.post(path, alan)
  const two = await desk.post(path, alan)
  const none = await desk.post(path, alan)

  assert.deepEqual(
    [one.data.ticket.id, one.data.ticket.assignee.id, one.data.ticket.status],
    [first, alan.id, 'In Progress']
  )
  assert.equal(two.data.ticket.id, second)
  assert.deepEqual(
    [none.status, none.data, none.body.message],
    [200, { ticket: null }, 'No ticket waits in your departments']
  )
  assert.deepEqual((await timeline(desk, first!)).slice(1), [
    [
      'ticket.assigned',
      { assigned_staff_id: null, status: 'Open' },
      { assigned_staff_id: alan.id, status: 'In Progress' }
    ]
  ])
  assert.deepEqual(await auditedActions(desk, first!), ['ticket.assigned'])
})

test('what waits longest is what was unanswered longest: reminders and changes cost nobody their place', async () => {
  const desk = await bootDesk()
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const [answered, patient, nagged, closed] = await opened(desk, ada, [1, 1, 1, 1])
  const reply = (asker: Person, id: number) => desk.post(`/api/tickets/${id}/reply`, asker, { message: 'Hello?' })
  await reply(admin, answered!)
  desk.clock.turn(60)
  await reply(ada, patient!)
  await desk.post('/api/admin/tickets/update', admin, { id: patient, priority: 'Low' })
  await reply(ada, nagged!)
  await reply(ada, answered!)
  await desk.post('/api/admin/tickets/status', admin, { id: closed, status: 'Closed' })

  const got = []
  for (let at = 0; at < 4; at++) got.push((await desk.post(path, admin)).data.ticket?.id)

  assert.deepEqual(got, [patient, nagged, answered, undefined])
})

test('only of one’s own departments, never what is assigned, answered, merged or in the trash', async () => {
  const desk = await bootDesk()
  const [ada, admin, alan] = [await aClient(desk), await anAdmin(desk), await aSupporter(desk, 'tickets.reply')]
  await limitTo(desk, alan.id, 4, 5)
  const [elsewhere, assigned, answered, merged, trashed, here, other] = await opened(desk, ada, [1, 4, 4, 4, 4, 4, 5])
  await desk.post('/api/admin/tickets/assign', admin, { id: assigned, assigned_staff_id: admin.id })
  await desk.post('/api/admin/tickets/reply', admin, { id: answered, message: 'Done.' })
  await desk.post('/api/admin/tickets/merge', admin, { id: merged, into_id: assigned })
  await desk.post('/api/admin/tickets/delete', admin, { id: trashed })

  const refused = await Promise.all([1, 99].map(department_id => desk.post(path, alan, { department_id })))
  const fifth = await desk.post(path, alan, { deptid: 5 })
  const any = await desk.post(path, alan)
  const none = await desk.post(path, alan)

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    Array(2).fill([400, ['department_id']])
  )
  assert.deepEqual([fifth.data.ticket.id, any.data.ticket.id, none.data.ticket], [other, here, null])
  assert.equal((await ticketRow(desk, elsewhere!)).assigned_staff_id, null)
})

test('agents who ask at once get one each, and whoever comes too late hears that there is none', async () => {
  const desk = await bootDesk({ connections: 10 })
  const ada = await aClient(desk)
  const agents: Person[] = []
  for (let at = 0; at < 6; at++) agents.push(await aSupporter(desk, 'tickets.reply'))

  for (let round = 0; round < 5; round++) {
    const ids = await opened(desk, ada, [1, 1, 4, 5])
    const replies = await Promise.all(agents.map(agent => desk.post(path, agent)))

    assert.ok(replies.every(({ status }) => status === 200))
    const got = replies.map(({ data }) => data.ticket?.id).filter(id => id !== undefined)
    assert.deepEqual(
      got.toSorted((one, other) => one - other),
      ids
    )
    for (const id of ids) assert.equal((await timeline(desk, id)).length, 2)
  }
})

test('the longest waiting is read from an index, however many tickets there are', async () => {
  const desk = await bootDesk()
  const { rows } = await desk.services.db.transaction().execute(async db => {
    await sql`set local enable_seqscan = off`.execute(db)
    return await sql<{ 'QUERY PLAN': string }>`explain select id from tickets
      where trashed_at is null and department_id = any(array[1, 4]::bigint[]) and assigned_staff_id is null
        and merged_into_id is null and status in ('Open', 'In Progress', 'Customer-Reply')
      order by coalesce(waiting_since, created_at), id limit 1 for no key update skip locked`.execute(db)
  })
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')

  assert.match(plan, /tickets_waiting_index/)
  assert.doesNotMatch(plan, /Sort/)
})
