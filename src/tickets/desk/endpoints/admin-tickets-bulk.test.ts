import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket, auditedActions, limitTo, ticketRow } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const [lead, admin] = [await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status'), await anAdmin(desk)]

test('each action does with every ticket what its own endpoint does with one', async () => {
  await desk.db.insertInto('tags').values({ name: 'many' }).execute()
  const actions: [object, string, (row: Awaited<ReturnType<typeof ticketRow>>) => unknown, unknown][] = [
    [{ action: 'status', status: 'Answered' }, 'ticket.status_changed', row => row.status, 'Answered'],
    [{ action: 'assign', staff_id: lead.id }, 'ticket.assigned', row => row.assigned_staff_id, lead.id],
    [{ action: 'assign', assigned_staff_id: null }, 'ticket.assigned', row => row.assigned_staff_id, null],
    [{ action: 'priority', priority: 'Low' }, 'ticket.updated', row => row.priority, 'Low'],
    [{ action: 'department', deptid: 4 }, 'ticket.updated', row => row.department_id, 4],
    [{ action: 'tag', tags: ['MANY'] }, 'ticket.tagged', row => row.version, 7],
    [{ action: 'delete' }, 'ticket.deleted', row => row.trashed_at !== null, true]
  ]
  const [one, two] = [await aTicket(desk, ada), await aTicket(desk, ada)]

  for (const [body, audited, value, expected] of actions) {
    const reply = await desk.post('/api/admin/tickets/bulk', admin, {
      ids: [one.ticket_id, two.ticket_number],
      ...body
    })

    assert.deepEqual(
      [reply.status, reply.data],
      [200, { done: [one.ticket_id, two.ticket_id], failed: [], not_tried: [] }]
    )
    for (const { ticket_id } of [one, two]) {
      assert.deepEqual(value(await ticketRow(desk, ticket_id)), expected, audited)
      assert.equal((await auditedActions(desk, ticket_id)).at(-1), audited)
    }
  }
})

test('a ticket that is named twice, by its id and by its number, is changed once', async () => {
  const { ticket_id: id, ticket_number: number } = await aTicket(desk, ada)
  const macro = { name: 'Asks again', actions: [], reply_text: 'Is it solved?', is_shared: 1 }
  const made = await desk.post('/api/admin/macros/create', admin, macro)
  const ids = [number.toLowerCase(), id, number, String(id)]

  const { data } = await desk.post('/api/admin/tickets/bulk', admin, {
    ...{ ids, action: 'macro', macro_id: made.data.macro.id }
  })

  assert.deepEqual(data, { done: [id], failed: [], not_tried: [] })
  assert.equal((await ticketRow(desk, id)).message_count, 2)
})

test('a ticket that has another version than was expected of it is refused with its version, the others are changed', async () => {
  const [one, two] = [(await aTicket(desk, ada)).ticket_id, (await aTicket(desk, ada)).ticket_id]
  await desk.post('/api/admin/tickets/update', admin, { id: two, priority: 'High' })
  const request = { ids: [one, two], action: 'status', status: 'Answered' }

  const lacking = await desk.post('/api/admin/tickets/bulk', admin, { ...request, expected_versions: [1] })
  const { data } = await desk.post('/api/admin/tickets/bulk', admin, { ...request, expected_versions: [1, 1] })

  assert.deepEqual([lacking.status, lacking.body.errors], [400, ['expected_versions']])
  assert.deepEqual(data.done, [one])
  assert.deepEqual(
    data.failed.map(({ id }: { id: number }) => id),
    [two]
  )
  assert.match(data.failed[0].message, /current version is 2$/)
  assert.equal((await ticketRow(desk, two)).status, 'Open')
})

test('what some refuse is done with the others, and they are listed with the reason', async () => {
  const alan = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  await limitTo(desk, alan.id, 4, 5)
  const tickets = [
    await aTicket(desk, ada, { department_id: 4 }),
    await aTicket(desk, ada, { department_id: 6 }),
    await aTicket(desk, ada, { department_id: 5 })
  ].map(({ ticket_id }) => ticket_id)
  const [here, elsewhere, merged] = tickets as [number, number, number]
  await desk.post('/api/admin/tickets/merge', lead, { id: merged, into_id: elsewhere })

  const { data } = await desk.post('/api/admin/tickets/bulk', alan, {
    ids: [...tickets, 'TIC-999999', here],
    action: 'status',
    status: 'Answered'
  })

  assert.deepEqual(data.done, [here])
  assert.deepEqual(
    data.failed.map((each: { id: unknown; message: string }) => [
      each.id,
      /no such ticket|merged into/.test(each.message)
    ]),
    [
      [elsewhere, true],
      [merged, true],
      ['TIC-999999', true]
    ]
  )
  assert.equal((await ticketRow(desk, elsewhere)).status, 'Open')
})

test('each refusal has the reason that the call for this ticket alone has', async () => {
  const [gone, merged, changed, target] = await Promise.all(
    [1, 2, 3, 4].map(async () => (await aTicket(desk, ada)).ticket_id as number)
  )
  await desk.post('/api/admin/tickets/merge', lead, { id: merged, into_id: target })
  await desk.post('/api/admin/tickets/delete', admin, { id: gone })
  await desk.post('/api/admin/tickets/update', admin, { id: changed, priority: 'High' })
  const ids = [gone, merged, changed]

  const { data } = await desk.post('/api/admin/tickets/bulk', lead, {
    ids,
    action: 'priority',
    priority: 'Low',
    expected_versions: [1, 2, 1]
  })

  const alone = await Promise.all(
    ids.map((id, at) =>
      desk.post('/api/admin/tickets/update', lead, { id, priority: 'Low', expected_version: [1, 2, 1][at] })
    )
  )
  const told = data.failed.map(({ id, reason, message }: Record<string, unknown>) => [id, reason, message])
  assert.deepEqual(
    told,
    alone.map(({ body }, at) => [ids[at], body.reason, body.message])
  )
  assert.deepEqual(
    told.map(([, reason]: string[]) => reason),
    ['ticket_not_found', 'ticket_merged', 'version_conflict']
  )
})

test('an action without its value, no ids, more than a hundred, and deleting without the right to change nothing', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await ticketRow(desk, id)
  const refused: [object, number, string[] | undefined][] = [
    [{ ids: [id], action: 'status' }, 400, ['status']],
    [{ ids: [id], action: 'assign' }, 400, ['assigned_staff_id']],
    [{ ids: [id], action: 'priority', status: 'Closed' }, 400, ['priority']],
    [{ ids: [id], action: 'department' }, 400, ['department_id']],
    [{ ids: [id], action: 'tag' }, 400, ['tags']],
    [{ ids: [], action: 'delete' }, 400, ['ids']],
    [{ ids: Array.from({ length: 101 }, (_, at) => at + 1), action: 'status', status: 'Closed' }, 400, ['ids']],
    [{ ids: ['nonsense'], action: 'status', status: 'Closed' }, 400, ['ids']],
    [{ ids: [id], action: 'delete' }, 403, undefined]
  ]

  for (const [body, status, errors] of refused) {
    const reply = await desk.post('/api/admin/tickets/bulk', lead, body)

    assert.deepEqual([reply.status, reply.body.errors], [status, errors], JSON.stringify(body))
  }
  assert.deepEqual(await ticketRow(desk, id), before)
})

test('deleting many follows tickets.delete alone, all else tickets.edit_status alone', async () => {
  const [one, two] = [await aTicket(desk, ada), await aTicket(desk, ada)].map(({ ticket_id }) => ticket_id)
  const deleter = await aSupporter(desk, 'tickets.view_all', 'tickets.delete')
  const ids = [one!, two!]

  const refused = await desk.post('/api/admin/tickets/bulk', deleter, { ids, action: 'status', status: 'Closed' })
  const { data } = await desk.post('/api/admin/tickets/bulk', deleter, { ids, action: 'delete' })

  assert.equal(refused.status, 403)
  assert.deepEqual(data, { done: ids, failed: [], not_tried: [] })
  for (const id of ids) {
    const { status, trashed_at } = await ticketRow(desk, id)
    assert.deepEqual([status, trashed_at !== null], ['Open', true])
  }
})

test('a fault in the midst tells what was done, what failed and what was not tried; at the start it is what it is', async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5].map(async () => (await aTicket(desk, ada)).ticket_id))
  const [first, unlucky] = [ids[0]!, ids[2]!]
  const asked = [first, 'TIC-999999', unlucky, first, ids[3]!, ids[4]!, ids[3]!]
  const close = (list: (number | string)[]) =>
    desk.post('/api/admin/tickets/bulk', lead, { ids: list, action: 'status', status: 'Closed' })

  for (const [fault, message] of [
    ["raise 'A bug'", 'Internal server error'],
    [
      'perform pg_terminate_backend(pg_backend_pid())',
      'The service is not available at the moment. Please try again shortly'
    ]
  ]) {
    await desk.db.updateTable('tickets').set({ status: 'Open' }).where('id', 'in', ids).execute()
    await faultOn(unlucky, fault!)

    const { status, body, data } = await close(asked)
    const alone = await close([unlucky, first])

    await noFault()
    assert.deepEqual([status, data.done, data.not_tried], [200, [first], [ids[3], ids[4]]])
    assert.deepEqual(
      data.failed.map(({ id }: { id: unknown }) => id),
      ['TIC-999999', unlucky]
    )
    assert.equal(data.failed.at(-1).message, message)
    assert.equal(data.failed.at(-1).reason, alone.body.reason)
    assert.equal(body.message, '1 changed, 2 refused, 2 not tried')
    assert.deepEqual([alone.status >= 500, alone.body.message], [true, message])
    const rows = await Promise.all(ids.map(id => ticketRow(desk, id)))
    assert.deepEqual(
      rows.map(row => row.status),
      ['Closed', 'Open', 'Open', 'Open', 'Open']
    )
  }
})

/** From now on the database raises an error when this ticket is changed. */
async function faultOn(id: number, fault: string): Promise<void> {
  const body = sql.raw(`begin if new.id = ${id} then ${fault}; end if; return new; end`)
  await sql`create function fail_here() returns trigger language plpgsql as $$ ${body} $$`.execute(desk.db)
  await sql`create trigger fail_here before update on tickets for each row execute function fail_here()`.execute(
    desk.db
  )
}

async function noFault(): Promise<void> {
  await sql`drop trigger fail_here on tickets`.execute(desk.db)
  await sql`drop function fail_here`.execute(desk.db)
}

test('ids may come from a form, repeated or as one list', async () => {
  const ids = [await aTicket(desk, ada), await aTicket(desk, ada)].map(({ ticket_id }) => ticket_id)

  for (const [sent, status] of [
    [ids, 'Closed'],
    [JSON.stringify(ids), 'Open']
  ] as const) {
    const { data } = await desk.post('/api/admin/tickets/bulk', lead, { ids: sent, action: 'status', status }, 'form')

    assert.deepEqual(data.done, ids)
  }
})
