import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { anAdmin, aSupporter } from '../../../test/support/people.ts'
import { allOf, aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'
import { ticketRow } from '../../../test/support/tickets.ts'

const { admin, desk, grace, opened, outcomes, runsOf, update } = await bootRulesDesk()

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

test('R1 rules run in their order, and each sees what the earlier ones changed', async () => {
  const second = await aRule(desk, admin, {
    conditions: allOf({ field: 'priority', op: 'is', value: 'High' }),
    actions: [{ assign: grace.id }]
  })
  const first = await aRule(desk, admin)
  await desk.post('/api/admin/rules/reorder', admin, { ids: [first.id, second.id] })
  const ticket = await opened()
  const { id: untouched } = await ticketRow(desk, await opened())

  await runRules(desk)

  const row = await ticketRow(desk, ticket)
  assert.deepEqual([row.priority, row.assigned_staff_id], ['High', grace.id])
  assert.deepEqual(await outcomes(ticket), [
    [first.id, 'ran', 0],
    [second.id, 'ran', 0]
  ])
  const [run] = await runsOf(ticket)
  assert.deepEqual(run.detail.actions, [{ set_priority: 'done', from: 'Medium', to: 'High' }])
  assert.equal((await outcomes(untouched)).length, 2)
})

test('R1 one that fails is undone and logged, and the others go on', async () => {
  const failing = await aRule(desk, admin, {
    actions: [{ set_priority: 'Low' }, { note: 'Refused' }]
  })
  const other = await aRule(desk, admin, { actions: [{ assign: grace.id }] })
  await sql`create function refuse_note() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(
    desk.db
  )
  await sql`create trigger refused before insert on ticket_notes for each row execute function refuse_note()`.execute(
    desk.db
  )
  const ticket = await opened()

  await runRules(desk)
  await sql`drop function refuse_note cascade`.execute(desk.db)

  const row = await ticketRow(desk, ticket)
  assert.deepEqual([row.priority, row.assigned_staff_id], ['Medium', grace.id])
  assert.deepEqual(await outcomes(ticket), [
    [failing.id, 'failed', 0],
    [other.id, 'ran', 0]
  ])
})

test('R1 conditions on the event see it as it was written, not the later ticket', async () => {
  await aRule(desk, admin, {
    trigger: { events: ['ticket.updated'] },
    conditions: allOf({ field: 'event.after.priority', op: 'is', value: 'High' }),
    actions: [{ assign: grace.id }]
  })
  const ticket = await opened()
  await update(ticket, { priority: 'High' })
  await update(ticket, { priority: 'Low' })

  await runRules(desk)

  const row = await ticketRow(desk, ticket)
  assert.deepEqual([row.priority, row.assigned_staff_id], ['Low', grace.id])
})

test('R2 rules run after the commit: until then the save of a person stands alone', async () => {
  await aRule(desk, admin)
  const ticket = await opened()
  assert.equal((await ticketRow(desk, ticket)).priority, 'Medium')

  await runRules(desk)
  assert.equal((await ticketRow(desk, ticket)).priority, 'High')
})

test('R3 what would change nothing is no event and no version, and is the run of the chain all the same', async () => {
  await aRule(desk, admin, { actions: [{ set_priority: 'Medium' }] })
  const ticket = await opened()
  const { version } = await ticketRow(desk, ticket)

  await runRules(desk)

  assert.equal((await ticketRow(desk, ticket)).version, version)
  const [run] = await runsOf(ticket)
  assert.deepEqual([run.outcome, run.detail.actions], ['ran', [{ set_priority: 'skipped', why: 'It is so already' }]])
})

test('R4 and R5 rules wake each other, once in a chain: a pair that undoes itself ends, and is warned of', async () => {
  const high = await aRule(desk, admin, {
    name: 'Up',
    trigger: { events: ['ticket.updated'] },
    conditions: allOf({ field: 'priority', op: 'is_not', value: 'High' }),
    actions: [{ set_priority: 'High' }]
  })
  const made = await desk.post('/api/admin/rules/create', admin, {
    name: 'Down',
    trigger: { events: ['ticket.updated'] },
    conditions: allOf({ field: 'priority', op: 'is', value: 'High' }),
    actions: [{ set_priority: 'Medium' }],
    is_active: 1
  })
  const medium = made.data.rule
  assert.deepEqual(
    made.data.warnings.map(({ kind, rule_id }: { kind: string; rule_id: number }) => [kind, rule_id]),
    [['undoes', high.id]]
  )
  const ticket = await opened()
  await update(ticket, { priority: 'Low' })

  await runRules(desk)

  assert.equal((await ticketRow(desk, ticket)).priority, 'Medium')
  assert.deepEqual(await outcomes(ticket), [
    [high.id, 'ran', 0],
    [medium.id, 'ran', 0],
    [high.id, 'stopped', 1, 'chain'],
    [high.id, 'stopped', 1, 'chain']
  ])
  const [run] = (await runsOf(ticket)).slice(-1)
  assert.equal(run.detail.by_rule, medium.id)
  const chains = new Set((await runsOf(ticket)).map(({ chain_id }: { chain_id: number }) => chain_id))
  assert.equal(chains.size, 1)

  // So many within a day are a fight.
  await sql`insert into rule_runs (rule_id, version, ticket_id, depth, at, outcome, is_change, detail)
    select rule_id, version, ticket_id, depth, at, outcome, is_change, detail
    from rule_runs cross join generate_series(1, 20) where outcome = 'stopped' and rule_id = ${high.id}`.execute(
    desk.db
  )
  const { rules } = (await desk.post('/api/admin/rules/list', admin)).data
  for (const { attention } of rules) assert.equal(attention[0].reason, 'fights')
})

test('R4 a chain of rules ends at its depth', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  for (const name of names) await desk.post('/api/admin/tags/create', admin, { name })
  const rules = []
  for (const [at, name] of names.slice(1).entries()) {
    rules.unshift(
      await aRule(desk, admin, {
        trigger: { events: ['ticket.tagged'] },
        conditions: allOf(
          { field: 'event.after.tags', op: 'has_any', value: [names[at]] },
          { field: 'event.before.tags', op: 'has_none', value: [names[at]] }
        ),
        actions: [{ add_tags: [name] }]
      })
    )
  }
  const ticket = await opened()
  const tagged = await desk.post('/api/admin/tickets/tags', admin, { id: ticket, add: ['a'] })
  assert.equal(tagged.status, 200, tagged.body.message)

  await runRules(desk)

  const depths = (await outcomes(ticket)).map(([, outcome, depth]) => [outcome, depth])
  assert.deepEqual(depths, [
    ['ran', 0],
    ['ran', 1],
    ['ran', 2],
    ['ran', 3],
    ['ran', 4],
    ['ran', 5],
    ['stopped', 6]
  ])
})

test('R11 an action for somebody who is gone is skipped with a reason, the rule needs attention, the others run', async () => {
  const alan = await aSupporter(desk, 'tickets.reply')
  const rule = await aRule(desk, admin, { actions: [{ assign: alan.id }, { set_priority: 'High' }] })
  await desk.post('/api/admin/staff/update', admin, { id: alan.id, is_active: 0 })
  const ticket = await opened()

  await runRules(desk)

  const [run] = await runsOf(ticket)
  assert.deepEqual(
    run.detail.actions.map((action: object) => Object.values(action)[0]),
    ['skipped', 'done']
  )
  const { data } = await desk.post('/api/admin/rules/detail', admin, { id: rule.id })
  assert.equal(data.rule.attention[0].reason, 'staff_out_of_use')
  const refused = await desk.post('/api/admin/rules/create', admin, {
    name: 'Never',
    trigger: { events: ['ticket.created'] },
    actions: [{ assign: alan.id }]
  })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['actions.0.assign']])
})

test('R12 rules leave imported events, and tickets in the trash, alone', async () => {
  await aRule(desk, admin, { trigger: { events: ['ticket.created', 'ticket.updated'] } })
  const [imported, trashed] = [await opened(), await opened()]
  await sql`update events set cause = '{"import_id": 1, "event_id": null, "chain_id": null, "depth": 0}'
    where ticket_id = ${imported}`.execute(desk.db)
  await desk.post('/api/admin/tickets/delete', admin, { id: trashed })

  await runRules(desk)

  assert.deepEqual([await outcomes(imported), await outcomes(trashed)], [[], []])
})

test('R12 a chain ends under the version with which it began', async () => {
  const rule = await aRule(desk, admin)
  desk.clock.turn(10)
  const ticket = await opened()
  desk.clock.turn(10)
  const changed = await desk.post('/api/admin/rules/update', admin, { id: rule.id, actions: [{ set_priority: 'Low' }] })
  assert.equal(changed.data.rule.version, 2)
  const later = await opened()

  await runRules(desk)

  const rows = [await ticketRow(desk, ticket), await ticketRow(desk, later)]
  assert.deepEqual(
    rows.map(({ priority }) => priority),
    ['High', 'Low']
  )
  assert.deepEqual([(await runsOf(ticket))[0].version, (await runsOf(later))[0].version], [1, 2])
})

test('R12 a rule tells what it said in each version, by whom, and one that is saved again comes back as the next one', async () => {
  const rule = await aRule(desk, admin, { is_active: 0 })
  const other = await anAdmin(desk)
  await desk.post('/api/admin/rules/update', other, {
    id: rule.id,
    name: 'VIP last',
    actions: [{ set_priority: 'Low' }]
  })
  const listed = await desk.post('/api/admin/rules/versions', admin, { id: rule.id })
  const [, first] = listed.data.versions
  const { name, trigger, conditions, actions } = first
  const back = await desk.post('/api/admin/rules/update', admin, { id: rule.id, name, trigger, conditions, actions })
  const after = await desk.post('/api/admin/rules/versions', admin, { id: rule.id })

  assert.deepEqual(
    listed.data.versions.map((each: typeof first) => [each.version, each.name, each.by.id, each.actions]),
    [
      [2, 'VIP last', other.id, [{ set_priority: 'Low' }]],
      [1, 'VIP first', admin.id, [{ set_priority: 'High' }]]
    ]
  )
  assert.deepEqual([back.data.rule.version, back.data.rule.name], [3, 'VIP first'])
  assert.deepEqual(
    after.data.versions.map(({ version }: typeof first) => version),
    [3, 2, 1]
  )
  const gone = await desk.post('/api/admin/rules/versions', admin, { id: 999_999 })
  assert.deepEqual([gone.status, gone.body.reason], [404, 'rule_not_found'])
})

test('the list tells how often each rule ran in seven days, and a watched one would have', async () => {
  const [runs, watched, idle] = [
    await aRule(desk, admin, { actions: [{ set_priority: 'High' }] }),
    await aRule(desk, admin, { actions: [{ note: 'Seen' }], watch_only: 1 }),
    await aRule(desk, admin, { conditions: allOf({ field: 'subject', op: 'is', value: 'No such' }) })
  ]
  for (let tickets = 0; tickets < 3; tickets++) await opened()
  await runRules(desk)
  await sql`update rule_runs set at = at - interval '8 days' where id in (
    select min(id) from rule_runs group by rule_id)`.execute(desk.db)

  const { rules } = (await desk.post('/api/admin/rules/list', admin)).data
  const counted = new Map(rules.map((rule: { id: number; runs_in_7_days: number }) => [rule.id, rule.runs_in_7_days]))
  assert.deepEqual(
    [runs, watched, idle].map(({ id }) => counted.get(id)),
    [2, 2, 0]
  )
})
