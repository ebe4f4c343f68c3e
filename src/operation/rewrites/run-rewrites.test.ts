import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { resumeRewrites, rewriteProgress, runRewrites } from './run-rewrites.ts'

const desk = await bootDesk({ connections: 4 })

/** Events of that many, as a version before has left them. */
async function oldEvents(ticket: number, count: number): Promise<void> {
  await sql`insert into ticket_events (ticket_id, kind, actor_type, actor_name, told_at)
    select ${ticket}, 'ticket.noted', 'staff', 'Grace Hopper', now() from generate_series(1, ${count})`.execute(desk.db)
  await sql`update rewrites set done_to = 0, rows_changed = 0, finished_at = null,
    up_to = (select max(id) from events)`.execute(desk.db)
}

test('timelines from before learn whose they are, batch by batch, going on where it was interrupted', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  await oldEvents(id, 2_500)
  const nameless = () =>
    desk.db.selectFrom('events').where('ticket_id', '=', id).where('client_id', 'is', null).select('id').execute()
  let asked = 0
  const breaking = {
    ...desk.services,
    clock: {
      now() {
        if (++asked === 2) throw new Error('killed')
        return desk.clock.now()
      }
    }
  }

  await assert.rejects(runRewrites(breaking), /killed/)
  const [half] = await rewriteProgress(desk.db)
  const left = await nameless()
  await Promise.all([runRewrites(desk.services), runRewrites(desk.services)])

  assert.ok(half!.done_to > 0 && half!.done_to < half!.up_to)
  assert.ok(left.length > 0 && left.length < 2_500)
  assert.deepEqual(await nameless(), [])
  assert.deepEqual(await rewriteProgress(desk.db), [])
})

test('what is left to be rewritten is taken up by a job, and nothing is done twice', async () => {
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  await oldEvents(id, 10)

  await resumeRewrites(desk.services)
  await desk.deliver()
  await resumeRewrites(desk.services)

  const { rows_changed, finished_at } = await desk.db
    .selectFrom('rewrites')
    .select(['rows_changed', 'finished_at'])
    .executeTakeFirstOrThrow()
  assert.equal(rows_changed, 10)
  assert.ok(finished_at)
})
