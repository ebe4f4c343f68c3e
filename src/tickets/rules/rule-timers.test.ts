import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { allOf, aRule, bootRulesDesk } from '../../../test/support/rules.ts'
import { aTicket, ticketRow } from '../../../test/support/tickets.ts'
import { dueRules } from './due-rules.ts'
import { ruleReader } from './rule-reader.ts'

const { desk, admin, opened, outcomes, runsOf } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

const clockTo = async (now: string) => {
  const reply = await desk.post('/api/test/clock', admin, { now })
  assert.equal(reply.status, 200, reply.body.message)
}
const later = async (minutes: number) => {
  const reply = await desk.post('/api/test/clock', admin, { advance_seconds: minutes * 60 })
  assert.equal(reply.status, 200, reply.body.message)
}
const after = (basis: string, minutes: number, given: object = {}) => ({ timer: { basis, minutes, ...given } })
const timersOf = async (ticket: number) =>
  (await desk.db.selectFrom('rule_timers').where('ticket_id', '=', ticket).select('due_at').execute()).map(
    ({ due_at }) => due_at.toISOString()
  )
const replied = async (id: number) => {
  const reply = await desk.post('/api/admin/tickets/reply', admin, { id, message: 'An answer' })
  assert.equal(reply.status, 201, reply.body.message)
}

await clockTo('2030-03-11T09:00:00Z')
await desk.post('/api/admin/tags/create', admin, { name: 'vip' })

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

test('R8 a timer fires at its instant, once, if its conditions fit then', async () => {
  const rule = await aRule(desk, admin, {
    trigger: after('created', 60),
    conditions: allOf({ field: 'priority', op: 'is', value: 'Medium' })
  })
  const start = desk.services.clock.now().getTime()
  const [fits, fitsNot] = [await opened(), await opened()]
  await later(30)
  assert.deepEqual(await timersOf(fits), [new Date(start + 3_600_000).toISOString()])
  await desk.post('/api/admin/tickets/update', admin, { id: fitsNot, priority: 'Low' })
  await later(29)
  assert.equal((await ticketRow(desk, fits)).priority, 'Medium')
  await later(2)

  assert.deepEqual([(await ticketRow(desk, fits)).priority, (await ticketRow(desk, fitsNot)).priority], ['High', 'Low'])
  assert.deepEqual(await outcomes(fits), [[rule.id, 'ran', 0]])
  assert.deepEqual([await outcomes(fitsNot), await timersOf(fits), await timersOf(fitsNot)], [[], [], []])
  // The instant is that at which it was due.
  assert.equal((await runsOf(fits))[0].at, new Date(start + 3_600_000).toISOString())
  await later(600)
  assert.equal((await outcomes(fits)).length, 1)
})

test('R8 the key holds the basis: a new one fires anew, and what takes it away removes the timer', async () => {
  const rule = await aRule(desk, admin, { trigger: after('last_reply', 120), actions: [{ note: 'Nobody answers' }] })
  const ticket = await opened()
  await later(180)
  assert.deepEqual(await outcomes(ticket), [])
  await replied(ticket)
  await later(60)
  await replied(ticket)
  await later(90)
  assert.deepEqual(await outcomes(ticket), [])
  await later(60)
  assert.equal((await outcomes(ticket)).length, 1)
  await replied(ticket)
  await later(121)
  assert.deepEqual(await outcomes(ticket), [
    [rule.id, 'ran', 0],
    [rule.id, 'ran', 0]
  ])
})

test('R8 two processes at once fire each timer once', async () => {
  await aRule(desk, admin, { trigger: after('created', 60) })
  const tickets = [await opened(), await opened(), await opened()]
  await later(30)
  const now = new Date(desk.services.clock.now().getTime() + 3_600_000)
  const works = [1, 2].map(() => dueRules(desk.services, ruleReader(desk.services)))

  const fired = await Promise.all(works.map(work => work.runDue(now)))

  assert.equal(fired[0]! + fired[1]!, 3)
  for (const ticket of tickets) assert.equal((await outcomes(ticket)).length, 1)
})

test('R7: timers of several tickets of one client that fire at once keep to its five e-mails together', async () => {
  const bob = await aClient(desk, { is_email_verified: true })
  await aRule(desk, admin, {
    trigger: after('created', 60),
    actions: [{ email_client: { subject: 'Hello', text: 'Hello' } }]
  })
  const tickets: number[] = []
  for (let time = 0; time < 8; time++) tickets.push((await aTicket(desk, bob)).ticket_id)
  await later(30)
  const now = new Date(desk.services.clock.now().getTime() + 3_600_000)
  const works = [1, 2].map(() => dueRules(desk.services, ruleReader(desk.services)))

  await Promise.all(works.map(work => work.runDue(now)))

  const became: string[] = []
  for (const ticket of tickets) became.push((await runsOf(ticket))[0].detail.actions[0].email_client)
  assert.deepEqual(became.toSorted(), [...Array(5).fill('done'), ...Array(3).fill('skipped')])
})

test('R8 what a timer does begins a chain, and wakes rules', async () => {
  const timer = await aRule(desk, admin, { trigger: after('status_since', 60) })
  const other = await aRule(desk, admin, {
    trigger: { events: ['ticket.updated'] },
    conditions: allOf({ field: 'event.actor', op: 'is', value: 'rule' }),
    actions: [{ note: 'Set by a rule' }]
  })
  const ticket = await opened()
  await later(61)
  assert.deepEqual(await outcomes(ticket), [
    [timer.id, 'ran', 0],
    [other.id, 'ran', 0]
  ])
})

test('R4 timers that are due at the same instant each begin a chain of their own', async () => {
  const timers = [
    await aRule(desk, admin, { trigger: after('created', 60), actions: [{ set_priority: 'High' }] }),
    await aRule(desk, admin, { trigger: after('created', 60), actions: [{ move_to: 4 }] })
  ]
  const follower = await aRule(desk, admin, { trigger: { events: ['ticket.updated'] }, actions: [{ note: 'Seen' }] })
  const ticket = await opened()

  await later(61)

  assert.deepEqual(await outcomes(ticket), [
    ...timers.map(({ id }) => [id, 'ran', 0]),
    [follower.id, 'ran', 0],
    [follower.id, 'ran', 0]
  ])
})

test('R8 a ticket whose timer cannot fire stops no other, and is tried again', async () => {
  const rule = await aRule(desk, admin, { trigger: after('created', 60), actions: [{ add_tags: ['vip'] }] })
  const [failing, other] = [await opened(), await opened()]
  await sql`create function refuse_run() returns trigger language plpgsql as
    'begin if new.ticket_id = tg_argv[0]::bigint then raise exception ''refused''; end if; return new; end'`.execute(
    desk.db
  )
  await sql`create trigger refused before insert on rule_runs for each row
    execute function refuse_run(${sql.lit(String(failing))})`.execute(desk.db)

  await later(61)
  const meanwhile = [await outcomes(failing), (await outcomes(other)).length, (await timersOf(failing)).length]
  await sql`drop function refuse_run cascade`.execute(desk.db)
  await later(2)

  assert.deepEqual(meanwhile, [[], 1, 1])
  assert.deepEqual([await outcomes(failing), await timersOf(failing)], [[[rule.id, 'ran', 0]], []])
})

test('a timer that does not fit when it falls due leaves a run of a rule that is watched, and of no other', async () => {
  const conditions = allOf({ field: 'priority', op: 'is', value: 'Critical' })
  const watched = await aRule(desk, admin, { trigger: after('created', 60), conditions, watch_only: 1 })
  await aRule(desk, admin, { trigger: after('created', 60), conditions })
  const ticket = await opened()
  await later(61)

  assert.deepEqual(await outcomes(ticket), [[watched.id, 'no_match', 0]])
  const [run] = await runsOf(ticket)
  assert.deepEqual(run.detail.conditions, [[{ field: 'priority', op: 'is', actual: 'Medium', fits: false }]])
})

test('R9 more timers than a batch are all done, in order', async () => {
  const ticket = await opened()
  const rule = await aRule(desk, admin, { trigger: after('created', 6_000), actions: [{ set_priority: 'Medium' }] })
  await sql`insert into tickets (client_id, department_id, subject)
    select client_id, department_id, 'Copy' from tickets cross join generate_series(1, 600) where id = ${ticket}`.execute(
    desk.db
  )
  await sql`insert into rule_timers (rule_id, ticket_id, basis_event_id, due_at)
    select ${rule.id}, id, 1, ${desk.services.clock.now()} from tickets where subject = 'Copy'`.execute(desk.db)
  await later(1)
  const left = await sql<{ count: number }>`select count(*)::integer as count from rule_timers
    join tickets on tickets.id = ticket_id where subject = 'Copy' and basis_event_id = 1`.execute(desk.db)
  const runs = await sql<{ count: number }>`select count(*)::integer as count from rule_runs
    where rule_id = ${rule.id}`.execute(desk.db)
  assert.deepEqual([left.rows[0]!.count, runs.rows[0]!.count], [0, 600])
})

test('R10 a new timer rule takes tickets for which it falls due after it was switched on, not those for which the time is over', async () => {
  const old = await opened()
  await later(100)
  const young = await opened()
  await later(30)
  const rule = await aRule(desk, admin, { trigger: after('created', 60) })
  await later(31)
  assert.deepEqual([await outcomes(old), await outcomes(young)], [[], [[rule.id, 'ran', 0]]])

  // A paused rule has none, and goes on with what falls due from then on.
  const [missed, kept] = [await opened(), await opened()]
  await desk.post('/api/admin/rules/pause', admin, { id: rule.id })
  assert.deepEqual(await timersOf(missed), [])
  await later(61)
  const next = await opened()
  await desk.post('/api/admin/rules/resume', admin, { id: rule.id })
  await later(61)
  assert.deepEqual([await outcomes(missed), await outcomes(kept), (await outcomes(next)).length], [[], [], 1])
})

test('a timer takes no condition on an event, no minutes below 1 and no calendar that does not exist', async () => {
  const refused = async (given: object) => {
    const reply = await desk.post('/api/admin/rules/create', admin, {
      name: 'No',
      trigger: after('created', 60),
      actions: [{ set_priority: 'High' }],
      ...given
    })
    return [reply.status, reply.body.errors]
  }
  const conditions = allOf({ field: 'event.kind', op: 'is', value: 'ticket.created' })
  assert.deepEqual(await refused({ conditions }), [400, ['conditions.all.0.any.0.field']])
  assert.equal((await refused({ trigger: after('created', 0) }))[0], 400)
  assert.equal((await refused({ trigger: { ...after('created', 1), events: ['ticket.created'] } }))[0], 400)
  assert.deepEqual(await refused({ trigger: after('created', 1, { calendar_id: 999 }) }), [
    400,
    ['trigger.timer.calendar_id']
  ])
})

test('the automation of a ticket tells what rules did and which timers wait, to whoever sees the ticket', async () => {
  const now = await aRule(desk, admin, { name: 'At once', trigger: { events: ['ticket.created'] } })
  const soon = await aRule(desk, admin, { name: 'In an hour', trigger: after('created', 60) })
  const off = await aRule(desk, admin, { name: 'Off', trigger: after('created', 90) })
  const ticket = await opened()
  const start = desk.services.clock.now().getTime()
  await later(1)
  await desk.post('/api/admin/rules/pause', admin, { id: off.id })

  const seen = await desk.post('/api/admin/tickets/automation', admin, { id: ticket })
  const stranger = await desk.post('/api/admin/tickets/automation', await aSupporter(desk, 'tickets.reply'), {
    id: ticket
  })

  assert.deepEqual(
    seen.data.runs.map((run: Record<string, unknown>) => [run.rule_id, run.rule_name, run.outcome]),
    [[now.id, 'At once', 'ran']]
  )
  assert.deepEqual(seen.data.timers, [
    { rule_id: soon.id, rule_name: 'In an hour', due_at: new Date(start + 3_600_000).toISOString() }
  ])
  assert.deepEqual([stranger.status, stranger.body.reason], [404, 'ticket_not_found'])
  await later(60)
  const done = await desk.post(`/api/admin/tickets/${ticket}/automation`, admin, {})
  assert.deepEqual([done.data.runs.length, done.data.timers], [2, []])
})

test('a timer that staff take off a ticket does not fire, also after its rule was changed; only a new basis sets it again', async () => {
  const rule = await aRule(desk, admin, { trigger: after('status_since', 60) })
  const [taken, other] = [await opened(), await opened()]
  await later(10)
  const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const takeOff = (id: number, asker = lead) =>
    desk.post('/api/admin/tickets/timers/delete', asker, { id, rule_id: rule.id })
  const due_at = (await timersOf(taken))[0]

  const refused = await takeOff(taken, await aSupporter(desk, 'tickets.reply'))
  const done = await takeOff(taken)
  const again = await takeOff(taken)
  await desk.post('/api/admin/rules/pause', admin, { id: rule.id })
  await desk.post('/api/admin/rules/resume', admin, { id: rule.id })
  await later(60)

  assert.deepEqual([refused.status, done.status], [403, 200])
  assert.deepEqual(done.data, { ticket_id: taken, rule_id: rule.id })
  assert.deepEqual([again.status, again.body.reason], [404, 'timer_not_found'])
  assert.deepEqual([await outcomes(taken), await outcomes(other)], [[], [[rule.id, 'ran', 0]]])
  const { events } = (await desk.post('/api/admin/tickets/detail', admin, { id: taken })).data
  const told = events.find(({ kind }: { kind: string }) => kind === 'ticket.timer_removed')
  assert.deepEqual(told.before, { rule_id: rule.id, rule_name: 'VIP first', due_at })
  assert.equal(told.actor_id, lead.id)

  await replied(taken)
  await later(61)
  assert.deepEqual(await outcomes(taken), [[rule.id, 'ran', 0]])
})
