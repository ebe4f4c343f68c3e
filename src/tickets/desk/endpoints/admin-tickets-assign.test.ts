import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { assign, aTicket, auditedActions, limitTo, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')

function assignTo(person: Person, id: number | string, assigned_staff_id: number | null, more: object = {}) {
  return desk.post('/api/admin/tickets/assign', person, { id, assigned_staff_id, ...more })
}

test('tickets.reply is enough to take a free ticket, which moves from Open to In Progress', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)
  const alan = await aSupporter(desk, 'tickets.reply')

  const taken = await desk.post(`/api/admin/tickets/${ticket_number}/assign`, alan, { staff_id: alan.id })
  const again = await assignTo(alan, id, alan.id)

  assert.equal(taken.status, 200)
  assert.deepEqual([taken.data.ticket.assignee.id, taken.data.ticket.status], [alan.id, 'In Progress'])
  assert.deepEqual([again.status, again.data.ticket.version], [200, taken.data.ticket.version])
  assert.deepEqual((await timeline(desk, id)).slice(1), [
    [
      'ticket.assigned',
      { assigned_staff_id: null, status: 'Open' },
      { assigned_staff_id: alan.id, status: 'In Progress' }
    ]
  ])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.assigned'])
})

test('with tickets.reply alone one neither assigns others, nor frees what others have, nor takes it, nor looks into other departments', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: 4 })
  const [alan, joan] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.reply')]
  await limitTo(desk, joan.id, 5)
  const before = await ticketRow(desk, id)

  assert.equal((await assignTo(alan, id, lead.id)).status, 403)
  assert.equal((await assignTo(alan, id, null)).status, 404)
  assert.equal((await assignTo(joan, id, joan.id)).status, 404)
  assert.deepEqual(await ticketRow(desk, id), before)
  await assign(desk, id, lead.id)
  const seeing = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const late = await assignTo(seeing, id, seeing.id, { force: 1 })
  assert.deepEqual([late.status, late.data.assignee.id], [409, lead.id])
  assert.equal((await assignTo(seeing, id, null)).status, 403)
  assert.equal((await ticketRow(desk, id)).assigned_staff_id, lead.id)
})

test('of a ticket that one may not see, taking it tells no more than of one that is not there', async () => {
  const [alan, joan] = [
    await aSupporter(desk, 'tickets.reply'),
    await aSupporter(desk, 'tickets.reply', 'tickets.edit_status')
  ]
  const [taken, merged, target] = [await aTicket(desk, ada), await aTicket(desk, ada), await aTicket(desk, ada)]
  await assign(desk, taken.ticket_id, lead.id)
  const merging = { id: merged.ticket_id, into_id: target.ticket_id }
  assert.equal((await desk.post('/api/admin/tickets/merge', lead, merging)).status, 200)
  const before = await desk.rowCounts()

  for (const agent of [alan, joan]) {
    const none = await assignTo(agent, 999_999, agent.id)
    assert.equal(none.status, 404)
    for (const { ticket_id, ticket_number } of [taken, merged]) {
      for (const ref of [ticket_id, ticket_number]) {
        for (const more of [{}, { force: 1 }, { expected_version: 1 }, { expected_version: 99 }]) {
          const { status, body } = await assignTo(agent, ref, agent.id, more)
          assert.deepEqual([status, body], [404, none.body], JSON.stringify(more))
        }
        assert.equal((await assignTo(agent, ref, null)).status, 404)
      }
    }
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('whoever took a ticket gives it back, and it is free for others as it was', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const [alan, joan] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.reply')]
  await assignTo(alan, id, alan.id)

  const others = await assignTo(joan, id, null)
  const back = await assignTo(alan, id, null)
  const taken = await assignTo(joan, id, joan.id)

  assert.equal(others.status, 404)
  assert.deepEqual([back.status, back.data.ticket.assignee], [200, null])
  assert.deepEqual([taken.status, taken.data.ticket.assignee.id], [200, joan.id])
  assert.deepEqual((await timeline(desk, id))[2], [
    'ticket.assigned',
    { assigned_staff_id: alan.id },
    { assigned_staff_id: null }
  ])
  assert.equal((await auditedActions(desk, id)).length, 3)
})

test('tickets.edit_status assigns anybody, and null nobody; only the first assignment moves the status', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const [alan, admin] = [await aSupporter(desk), await anAdmin(desk)]

  const steps = [
    await assignTo(lead, id, alan.id),
    await assignTo(lead, id, admin.id),
    await desk.post('/api/admin/tickets/assign', lead, { id, assigned_staff_id: '' }, 'form')
  ]

  assert.deepEqual(
    steps.map(({ data }) => [data.ticket.assignee?.id ?? null, data.ticket.status]),
    [
      [alan.id, 'In Progress'],
      [admin.id, 'In Progress'],
      [null, 'In Progress']
    ]
  )
  await desk.post('/api/admin/tickets/status', lead, { id, status: 'Closed' })
  assert.equal((await assignTo(lead, id, alan.id)).data.ticket.status, 'Closed')
})

test('nobody is assigned who is not there, not active, or does not see the department; nor by leaving the field out', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: 4 })
  const [gone, elsewhere, here] = [await aSupporter(desk), await aSupporter(desk), await aSupporter(desk)]
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', gone.id).execute()
  await limitTo(desk, elsewhere.id, 5)
  await limitTo(desk, here.id, 4, 5)
  const before = await ticketRow(desk, id)

  for (const staffId of [gone.id, elsewhere.id, 999_999]) {
    const { status, body } = await assignTo(lead, id, staffId)
    assert.deepEqual([status, body.errors], [400, ['assigned_staff_id']])
  }
  const unsaid = await desk.post('/api/admin/tickets/assign', lead, { id })

  assert.deepEqual([unsaid.status, unsaid.body.errors], [400, ['assigned_staff_id']])
  assert.deepEqual(await ticketRow(desk, id), before)
  assert.equal((await assignTo(lead, id, here.id)).status, 200)
})

test('what somebody has is taken away only knowingly: with force, or with the version', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const [joan, admin] = [await aSupporter(desk), await anAdmin(desk)]
  await assign(desk, id, joan.id)

  const blind = await assignTo(lead, id, lead.id)
  const stale = await assignTo(lead, id, lead.id, { expected_version: 1 })
  const knowing = await assignTo(lead, id, lead.id, { expected_version: 2 })
  const forced = await assignTo(admin, id, admin.id, { force: 1 })

  assert.deepEqual(
    [blind, stale, knowing, forced].map(({ status, body }) => [status, body.errors]),
    [
      [409, ['assigned_staff_id']],
      [409, ['expected_version']],
      [200, undefined],
      [200, undefined]
    ]
  )
  assert.deepEqual(blind.data.assignee, { id: joan.id, first_name: 'Grace', last_name: 'Hopper' })
})

test('of agents who take one ticket at once exactly one has it; the others are told who if they may see it', async () => {
  const busy = await bootDesk({ connections: 10 })
  const client = await aClient(busy)
  const agents = [
    await aSupporter(busy, 'tickets.reply'),
    await aSupporter(busy, 'tickets.view_all', 'tickets.reply'),
    await aSupporter(busy, 'tickets.view_all', 'tickets.edit_status'),
    await anAdmin(busy)
  ]

  for (let round = 0; round < 5; round++) {
    const { ticket_id: id } = await aTicket(busy, client)
    const replies = await Promise.all(
      agents.map(agent => busy.post('/api/admin/tickets/assign', agent, { id, assigned_staff_id: agent.id }))
    )

    const { assigned_staff_id: winner } = await ticketRow(busy, id)
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    for (const [at, { status, data }] of replies.entries()) {
      if (status === 200) assert.equal(agents[at]!.id, winner)
      // The first sees only unassigned tickets and their own.
      else if (at === 0) assert.equal(status, 404)
      else assert.deepEqual([status, data.assignee.id], [409, winner])
    }
    assert.equal((await timeline(busy, id)).length, 2)
  }
})
