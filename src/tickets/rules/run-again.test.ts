import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { allOf, aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'
import { tableContents } from '../../../test/support/table-contents.ts'
import { ticketRow } from '../../../test/support/tickets.ts'

const { admin, desk, opened, outcomes, runsOf, update } = await bootRulesDesk()

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

const conditions = allOf(
  { field: 'event.actor', op: 'is', value: 'staff' },
  { field: 'status', op: 'is', value: 'Open' }
)
const again = (id: number) => desk.post('/api/admin/rules/run-again', admin, { run_id: id })
const noted = async (ticket: number, times: number) => {
  for (let time = 0; time < times; time++) {
    const reply = await desk.post('/api/admin/tickets/note', admin, { id: ticket, note: `Note ${time}` })
    assert.equal(reply.status, 201, reply.body.message)
  }
  await runRules(desk)
}

/** A rule that its budget has stopped on a ticket, and that goes on since; the run that was stopped. */
async function stopped() {
  const rule = await aRule(desk, admin, {
    trigger: { events: ['ticket.noted'] },
    actions: [{ note: 'Seen' }],
    conditions
  })
  const ticket = await opened()
  await noted(ticket, 21)
  const [run] = (await runsOf(ticket)).slice(-1)
  assert.deepEqual([run.outcome, run.detail.reason, run.again_at], ['stopped', 'budget', null])
  return { rule, ticket, run }
}

async function resumedLater(rule: { id: number }) {
  desk.clock.turn(3_601)
  await desk.post('/api/admin/rules/resume', admin, { id: rule.id })
}

test('R7 what a budget has stopped is run again, once, and begins a chain; what it did names its run', async () => {
  const { rule, ticket, run } = await stopped()
  await resumedLater(rule)

  const replies = await Promise.all([again(run.id), again(run.id), again(run.id)])

  const [made, ...others] = replies.toSorted((one, other) => one.status - other.status)
  assert.deepEqual(
    others.map(({ status, body }) => [status, body.reason]),
    Array(2).fill([409, 'run_not_stopped'])
  )
  assert.equal(made!.status, 200, made!.body.message)
  const { outcome, detail, event_id, chain_id } = made!.data.run
  assert.deepEqual([outcome, detail.again_of, event_id, chain_id], ['ran', run.id, null, null])
  assert.equal(detail.actions[0].note, 'done')
  const runs = await runsOf(ticket)
  assert.equal(runs.length, 22)
  assert.notEqual(runs.find(({ id }) => id === run.id).again_at, null)
  const { data: shown } = await desk.post('/api/admin/tickets/detail', admin, { id: ticket })
  const byRule = shown.events.flatMap(({ kind, cause }: { kind: string; cause: { run_id: number } | null }) =>
    kind === 'ticket.noted' && cause ? [cause.run_id] : []
  )
  const done = runs.flatMap(({ id, outcome }: { id: number; outcome: string }) => (outcome === 'ran' ? [id] : []))
  assert.deepEqual(byRule.toSorted(), done.toSorted())
  const notes = await sql<{ count: number }>`select count(*)::integer as count from ticket_notes
    where ticket_id = ${ticket} and note = 'Seen'`.execute(desk.db)
  assert.equal(notes.rows[0]!.count, 21)
})

test('R7 its conditions are judged again: what does not fit any more is not done', async () => {
  const { rule, ticket, run } = await stopped()
  await resumedLater(rule)
  await desk.post('/api/admin/tickets/status', admin, { id: ticket, status: 'Closed' })

  const reply = await again(run.id)

  assert.equal(reply.status, 200, reply.body.message)
  assert.deepEqual([reply.data.run.outcome, reply.data.run.detail.again_of], ['no_match', run.id])
  assert.equal((await again(run.id)).status, 409)
})

test('R7 and R12 nothing is run again by a rule that stands still, in the trash, merged, or over the budget: it may be later', async () => {
  const { rule, ticket, run } = await stopped()
  const refused = async () => {
    const before = await tableContents(desk)
    const { status, body } = await again(run.id)
    assert.deepEqual(await tableContents(desk), before)
    return [status, body.reason]
  }
  assert.deepEqual(await refused(), [409, 'rule_stands_still'])

  await desk.post('/api/admin/rules/resume', admin, { id: rule.id })
  assert.deepEqual(await refused(), [409, 'budget_used_up'])

  desk.clock.turn(3_601)
  await desk.post('/api/admin/tickets/delete', admin, { id: ticket })
  assert.deepEqual(await refused(), [404, 'ticket_not_found'])
  await desk.post('/api/admin/tickets/restore', admin, { id: ticket })

  const target = await opened()
  await desk.post('/api/admin/tickets/merge', admin, { id: ticket, into_id: target })
  assert.deepEqual(await refused(), [409, 'ticket_merged'])
  await desk.post('/api/admin/tickets/unmerge', admin, { id: ticket })

  await desk.post('/api/admin/tickets/status', admin, { id: ticket, status: 'Open' })
  assert.equal((await again(run.id)).data.run.outcome, 'ran')
})

test('only what a budget has stopped is run again', async () => {
  await aRule(desk, admin)
  const ticket = await opened()
  await runRules(desk)
  await update(ticket, { priority: 'Low' })
  const [run] = await runsOf(ticket)

  const replies = [await again(run.id), await again(999_999)]

  assert.deepEqual(
    replies.map(({ status, body }) => [status, body.reason]),
    [
      [409, 'run_not_stopped'],
      [404, 'run_not_found']
    ]
  )
  assert.equal((await ticketRow(desk, ticket)).priority, 'Low')
  assert.equal((await outcomes(ticket)).length, 1)
})

test('R4 a run that is made again sets off its own rule no second time', async () => {
  const rule = await aRule(desk, admin, { trigger: { events: ['ticket.noted'] }, actions: [{ note: 'Seen' }] })
  const ticket = await opened()
  await noted(ticket, 21)
  const stopped = (await runsOf(ticket)).find(({ detail }) => detail.reason === 'budget')
  await resumedLater(rule)
  const seen = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ticket_notes
      where ticket_id = ${ticket} and note = 'Seen'`.execute(desk.db)
    return rows[0]!.count
  }
  const before = await seen()

  assert.equal((await again(stopped.id)).status, 200)
  await runRules(desk)

  assert.equal(await seen(), before + 1)
})

test('R7 nothing is run again by a rule that only watches', async () => {
  const { rule, run } = await stopped()
  await resumedLater(rule)
  await desk.post('/api/admin/rules/update', admin, { id: rule.id, watch_only: 1 })

  const refused = await again(run.id)
  await desk.post('/api/admin/rules/update', admin, { id: rule.id, watch_only: 0 })

  assert.deepEqual([refused.status, refused.body.reason], [409, 'rule_stands_still'])
  assert.equal((await again(run.id)).data.run.outcome, 'ran')
})
