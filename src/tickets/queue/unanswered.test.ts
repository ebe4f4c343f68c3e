import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { unansweredInThread, unansweredSince } from '../ticket/unanswered.ts'

const desk = await bootDesk({ connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

async function done(path: string, asker: Person, body: object) {
  const reply = await desk.post(path, asker, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

/** For each ticket: the value from its row, the value from its thread, and whether the row was trusted. */
async function told() {
  const rows = await desk.db
    .selectFrom('tickets')
    .select(['id', 'status', 'version', unansweredSince.as('row'), unansweredInThread.as('thread')])
    .select(sql<boolean>`coalesce(unanswered_of = message_count, false)`.as('isKnown'))
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, thread: row.status === 'Closed' ? null : row.thread }))
}

test('whatever is written, answered, closed, merged and taken apart, a ticket’s row tells since when it waits as its thread does', async () => {
  const ids: number[] = []
  for (let nth = 0; nth < 3; nth++) ids.push((await aTicket(desk, ada)).ticket_id)
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let step = 0; step < 60; step++) {
    desk.clock.turn(1)
    const [id, other] = [ids[random(3)]!, ids[random(3)]!]
    const tries = [
      () => desk.post('/api/tickets/reply', ada, { id, message: 'Hello?' }),
      () => desk.post('/api/tickets/reply', admin, { id, message: 'Here we are' }),
      () => desk.post('/api/admin/tickets/reply', admin, { id, message: 'Wait', status: 'In Progress' }),
      () => desk.post('/api/admin/tickets/note', admin, { id, note: 'Hm' }),
      () => desk.post('/api/tickets/status', ada, { id, status: 'Closed' }),
      () => desk.post('/api/admin/tickets/merge', admin, { id, into_id: other }),
      () => desk.post('/api/admin/tickets/unmerge', admin, { id })
    ]
    // Some are refused: a ticket cannot be merged into itself, nor twice.
    await tries[random(tries.length)]!()

    for (const { id, row, thread } of await told()) assert.deepEqual(row, thread, `ticket ${id} after step ${step}`)
  }
  const { rows } = await sql<{ id: number }>`select id from tickets where merged_into_id is null order by id`.execute(
    desk.db
  )
  for (const { id } of rows) await done('/api/admin/tickets/reply', admin, { id, message: 'All is well' })

  const known = (await told()).filter(({ id }) => rows.some(row => row.id === id))
  assert.ok(known.every(({ isKnown, row }) => isKnown && row === null))
})

test('a message that comes while rows are noted makes what was noted unknown, not wrong', async () => {
  const id = (await aTicket(desk, ada)).ticket_id
  await sql`update tickets set unanswered_of = null, unanswered_since = null where id = ${id}`.execute(desk.db)

  await done('/api/tickets/reply', ada, { id, message: 'Still there?' })
  const asked = (await told()).find(row => row.id === id)!
  await done('/api/tickets/reply', admin, { id, message: 'Yes' })
  const answered = (await told()).find(row => row.id === id)!

  assert.deepEqual([asked.isKnown, asked.row], [false, asked.thread])
  assert.deepEqual([answered.isKnown, answered.row], [true, null])
})

test('a row of the queue whose ticket does not account for its messages tells the same as before', async () => {
  const bob = await aClient(desk)
  const id = (await aTicket(desk, bob)).ticket_id
  const row = async () => (await done('/api/admin/tickets/list', admin, { client_id: bob.id })).tickets[0]
  desk.clock.turn(60)
  await done('/api/tickets/reply', bob, { id, message: 'Hello?' })
  const before = await row()
  // As a version before this column writes it.
  await sql`update tickets set unanswered_of = null, unanswered_since = null where id = ${id}`.execute(desk.db)
  const unaccounted = await row()
  await sql`update tickets set status = 'Closed' where id = ${id}`.execute(desk.db)

  assert.equal(before.snippet, 'Hello?')
  assert.equal(before.waiting_since, before.created_at)
  assert.deepEqual(unaccounted, before)
  assert.equal((await row()).waiting_since, null)
})
