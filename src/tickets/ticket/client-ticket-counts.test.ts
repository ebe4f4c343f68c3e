import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { transaction } from '../../core/db.ts'
import { addUpTicketCounts, changeTicketCount, ticketCountOf } from './client-ticket-counts.ts'

const desk = await bootDesk({ connections: 10 })
const admin = await anAdmin(desk)

test('The number of a client’s tickets is exact before and after it is added up', async () => {
  const ada = await aClient(desk)
  const [first] = [await aTicket(desk, ada), await aTicket(desk, ada), await aTicket(desk, ada)]
  await desk.post('/api/admin/tickets/delete', admin, { id: first.ticket_id })
  const before = await numbersOf(ada.id)

  await addUpTicketCounts(desk.db)

  assert.deepEqual(before, { total: 2, stored: 0, changes: 4 })
  assert.deepEqual(await numbersOf(ada.id), { total: 2, stored: 2, changes: 0 })
  assert.equal((await desk.post('/api/tickets/list', ada)).data.total, 2)
})

test('While a client opens many tickets at once and several processes add up, each read has the number that counting gives', async () => {
  const ada = await aClient(desk)
  let isDone = false
  const wrong: unknown[] = []
  const reader = async () => {
    while (!isDone) {
      const { rows } = await sql`
        select total, counted from (${ticketCountOf(desk.db, ada.id)}) as kept,
          (select count(*) as counted from tickets where client_id = ${ada.id} and trashed_at is null) as tickets
        where total <> counted`.execute(desk.db)
      wrong.push(...rows)
      await addUpTicketCounts(desk.db)
    }
  }
  const reading = [reader(), reader()]

  const opened = await Promise.all(Array.from({ length: 24 }, () => aTicket(desk, ada)))
  await Promise.all(
    opened.slice(0, 8).map(({ ticket_id: id }) => desk.post('/api/admin/tickets/delete', admin, { id }))
  )
  isDone = true
  await Promise.all(reading)
  await addUpTicketCounts(desk.db)

  assert.deepEqual(wrong, [])
  assert.deepEqual(await numbersOf(ada.id), { total: 16, stored: 16, changes: 0 })
})

test('A locked client is left for the next time, and nobody waits', async () => {
  const [ada, grace] = [await aClient(desk), await aClient(desk)]
  for (const { id } of [ada, grace]) await changeTicketCount(desk.db, { client: id, more: 3 })

  await transaction(desk.db, async db => {
    await db.selectFrom('clients').where('id', '=', ada.id).select('id').forNoKeyUpdate().execute()
    await addUpTicketCounts(desk.db)
  })
  const whileLocked = [await numbersOf(ada.id), await numbersOf(grace.id)]
  await addUpTicketCounts(desk.db)

  assert.deepEqual(whileLocked, [
    { total: 3, stored: 0, changes: 1 },
    { total: 3, stored: 3, changes: 0 }
  ])
  assert.deepEqual(await numbersOf(ada.id), { total: 3, stored: 3, changes: 0 })
})

test('Changes of a deleted client are taken away', async () => {
  const gone = 1_000_000_007
  await changeTicketCount(desk.db, { client: gone, more: 1 })

  await addUpTicketCounts(desk.db)

  assert.deepEqual(await desk.db.selectFrom('client_ticket_changes').selectAll().execute(), [])
})

async function numbersOf(id: number) {
  const { total } = await ticketCountOf(desk.db, id).executeTakeFirstOrThrow()
  const { ticket_count } = await desk.db
    .selectFrom('clients')
    .where('id', '=', id)
    .select('ticket_count')
    .executeTakeFirstOrThrow()
  const changes = await desk.db
    .selectFrom('client_ticket_changes')
    .where('client_id', '=', id)
    .select('tickets')
    .execute()
  return { total, stored: ticket_count, changes: changes.length }
}
