import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { allOf, aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'
import { aTicket, ticketRow } from '../../../test/support/tickets.ts'

const { ada, admin, desk, grace, opened, outcomes, runsOf } = await bootRulesDesk()

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

test('R6 e-mails by rules wake no rule on replies, and go to no address that answers by itself', async () => {
  const rule = await aRule(desk, admin, {
    trigger: { events: ['ticket.created', 'ticket.replied'] },
    actions: [{ email_client: { subject: 'We have it', text: 'Hello {{client.first_name|there}}' } }]
  })
  const ticket = await opened()
  await runRules(desk)
  assert.deepEqual(await outcomes(ticket), [[rule.id, 'ran', 0]])
  const [sent] = await runsOf(ticket)
  assert.equal(sent.detail.actions[0].email_client, 'done')

  await sql`insert into inbound_mails (sha256, via, size_bytes, state, sender, is_automatic, settled_at)
    values (repeat('0', 64), 'smtp', 1, 'dropped', ${ada.email}, true, now())`.execute(desk.db)
  const other = await opened()
  await runRules(desk)
  const [kept] = await runsOf(other)
  assert.deepEqual(kept.detail.actions, [
    { email_client: 'skipped', why: 'The address of the client has answered by itself within a day' }
  ])
  await sql`delete from inbound_mails`.execute(desk.db)
})

test('R6 an address that answered by itself gets e-mails by rules again after 24 hours of the desk', async () => {
  const bob = await aClient(desk, { is_email_verified: true })
  // Not the time of the database.
  desk.clock.turn(12 * 3_600)
  await aRule(desk, admin, { actions: [{ email_client: { subject: 'We have it', text: 'Hello' } }] })
  const became = async (hoursAfter: number) => {
    const receivedAt = new Date(desk.clock.now().getTime() - hoursAfter * 3_600_000)
    await sql`insert into inbound_mails (sha256, via, size_bytes, state, sender, is_automatic, settled_at, received_at)
      values (repeat('1', 64), 'smtp', 1, 'dropped', ${bob.email}, true, ${receivedAt}, ${receivedAt})`.execute(desk.db)
    const { ticket_id } = await aTicket(desk, bob)
    await runRules(desk)
    await sql`delete from inbound_mails`.execute(desk.db)
    return (await runsOf(ticket_id))[0].detail.actions[0].email_client
  }

  assert.deepEqual([await became(23), await became(25)], ['skipped', 'done'])
})

test('R7 a rule that would exceed its budget is paused with the reason, and admins are told; then it goes on with what is new', async () => {
  const rule = await aRule(desk, admin, {
    trigger: { events: ['ticket.noted'] },
    actions: [{ note: 'Seen' }],
    conditions: allOf({ field: 'event.actor', op: 'is', value: 'staff' })
  })
  const ticket = await opened()
  const noted = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const reply = await desk.post('/api/admin/tickets/note', admin, { id: ticket, note: `Note ${time}` })
      assert.equal(reply.status, 201, reply.body.message)
    }
    await runRules(desk)
  }
  await noted(20)
  assert.equal((await outcomes(ticket)).length, 20)

  await noted(2)
  assert.deepEqual((await outcomes(ticket)).slice(20), [[rule.id, 'stopped', 0, 'budget']])
  const { data } = await desk.post('/api/admin/rules/detail', admin, { id: rule.id })
  assert.equal(data.rule.paused_reason, 'budget')
  const told = await desk.db.selectFrom('outbox_messages').where('kind', '=', 'staff-rule-paused').selectAll().execute()
  assert.ok(told.length >= 1)

  desk.clock.turn(3_601)
  const resumed = await desk.post('/api/admin/rules/resume', admin, { id: rule.id })
  assert.equal(resumed.data.rule.paused_reason, null)
  await runRules(desk)
  assert.equal((await outcomes(ticket)).length, 21)
  await noted(1)
  assert.equal((await outcomes(ticket)).length, 22)
})

test('R7 a client gets five e-mails by rules a day; the sixth is skipped in its run', async () => {
  const bob = await aClient(desk, { is_email_verified: true })
  await aRule(desk, admin, {
    actions: [{ email_client: { subject: 'Hello', text: 'Hello' } }, { set_priority: 'High' }]
  })
  for (let time = 0; time < 5; time++) await aTicket(desk, bob)
  const { ticket_id: sixth } = await aTicket(desk, bob)

  await runRules(desk)

  const [run] = await runsOf(sixth)
  assert.deepEqual(
    run.detail.actions.map((action: object) => Object.values(action)[0]),
    ['skipped', 'done']
  )
  const { ticket_id: others } = await aTicket(desk, await aClient(desk, { is_email_verified: true }))
  await runRules(desk)
  const [other] = await runsOf(others)
  assert.equal(other.detail.actions[0].email_client, 'done')
})

test('R7: e-mails count against the budgets when their rule is deleted, and their ticket as well', async () => {
  const bob = await aClient(desk, { is_email_verified: true })
  const emails = { actions: [{ email_client: { subject: 'Hello', text: 'Hello' } }] }
  const rule = await aRule(desk, admin, emails)
  const tickets: number[] = []
  for (let time = 0; time < 5; time++) tickets.push((await aTicket(desk, bob)).ticket_id)
  await runRules(desk)
  const gone = await desk.post('/api/admin/rules/delete', admin, { id: rule.id })
  assert.equal(gone.status, 200, gone.body.message)
  await sql`delete from tickets where id = ${tickets[0]}`.execute(desk.db)
  await aRule(desk, admin, emails)
  const { ticket_id: sixth } = await aTicket(desk, bob)

  await runRules(desk)

  const [run] = await runsOf(sixth)
  assert.equal(run.detail.actions[0].email_client, 'skipped')
})

test('R7: a run that would send more e-mails than are left within the hour is not made, its rule is paused, and the others go on', async () => {
  const rule = await aRule(desk, admin, {
    actions: [{ set_priority: 'High' }, { notify_staff: { who: 'watchers', text: 'Look' } }]
  })
  const other = await aRule(desk, admin, { actions: [{ note: 'Seen' }] })
  const ticket = await opened()
  for (const { id: staff_id } of [admin, await anAdmin(desk)]) {
    await desk.db.insertInto('ticket_watchers').values({ ticket_id: ticket, staff_id }).execute()
  }
  await sql`insert into rule_emails (at, client_emails, emails)
    values (${desk.clock.now()}, 0, 1999)`.execute(desk.db)

  await runRules(desk)

  assert.deepEqual(await outcomes(ticket), [
    [rule.id, 'stopped', 0, 'budget'],
    [other.id, 'ran', 0]
  ])
  assert.equal((await ticketRow(desk, ticket)).priority, 'Medium')
  assert.equal((await desk.post('/api/admin/rules/detail', admin, { id: rule.id })).data.rule.paused_reason, 'budget')
})

test('a rule that is watched logs what it would do, and what did not fit, and does nothing', async () => {
  await aRule(desk, admin, { watch_only: 1, actions: [{ set_priority: 'High' }, { note: 'Seen' }] })
  await aRule(desk, admin, {
    watch_only: 1,
    conditions: allOf({ field: 'subject', op: 'is', value: 'Nothing is called so' })
  })
  const ticket = await opened()
  const events = async () =>
    (await desk.db.selectFrom('events').where('ticket_id', '=', ticket).selectAll().execute()).length
  const before = await events()

  await runRules(desk)

  assert.equal((await ticketRow(desk, ticket)).priority, 'Medium')
  assert.equal(await events(), before)
  const [watched, missed] = await runsOf(ticket)
  assert.deepEqual(
    [watched.outcome, watched.detail.actions],
    [
      'watched',
      [
        { set_priority: 'done', from: 'Medium', to: 'High' },
        { note: 'done', from: null, to: null }
      ]
    ]
  )
  // The words of people are not logged.
  assert.deepEqual(
    [missed.outcome, missed.detail.conditions],
    ['no_match', [[{ field: 'subject', op: 'is', fits: false }]]]
  )
})

test('a rule is paused and let go on by staff, changed by version, and named by what it uses', async () => {
  const { data } = await desk.post('/api/admin/tags/create', admin, { name: 'vip' })
  const rule = await aRule(desk, admin, { actions: [{ add_tags: ['vip'] }] })
  await desk.post('/api/admin/rules/pause', admin, { id: rule.id })
  const passed = await opened()
  await runRules(desk)
  assert.deepEqual(await outcomes(passed), [])
  desk.clock.turn(1)
  await desk.post('/api/admin/rules/resume', admin, { id: rule.id })
  const ticket = await opened()
  await runRules(desk)
  assert.deepEqual(await outcomes(ticket), [[rule.id, 'ran', 0]])

  const stale = await desk.post('/api/admin/rules/update', admin, { id: rule.id, name: 'Other', expected_version: 1 })
  assert.equal(stale.status, 409)
  const tag = data.tag.id
  const kept = await desk.post('/api/admin/tags/delete', admin, { id: tag })
  assert.equal(kept.status, 409)
  const into = (await desk.post('/api/admin/tags/create', admin, { name: 'very important' })).data.tag.id
  const merged = await desk.post('/api/admin/tags/merge', admin, { id: tag, into_id: into })
  assert.equal(merged.status, 200, merged.body.message)
  const shown = await desk.post('/api/admin/rules/detail', admin, { id: rule.id })
  assert.deepEqual(shown.data.rule.actions, [{ add_tags: ['very important'] }])
})

test('what a rule may not say is refused with its place', async () => {
  const refused = async (given: object) => {
    const reply = await desk.post('/api/admin/rules/create', admin, {
      name: 'No',
      trigger: { events: ['ticket.created'] },
      actions: [{ set_priority: 'High' }],
      ...given
    })
    return [reply.status, reply.body.errors]
  }
  assert.deepEqual(await refused({ actions: [] }), [400, ['actions']])
  assert.deepEqual(await refused({ actions: [{ note: '{{nobody.knows}}' }] }), [400, ['actions.0.note']])
  assert.deepEqual(await refused({ actions: [{ add_tags: ['unheard of'] }] }), [400, ['actions.0.add_tags']])
  assert.deepEqual(await refused({ actions: [{ webhook: 999 }] }), [400, ['actions.0.webhook']])
  assert.equal((await refused({ trigger: { events: ['ticket.deleted'] } }))[0], 400)
  assert.equal((await refused({ trigger: {} }))[0], 400)
  const [status] = await refused({ conditions: allOf({ field: 'department_id', op: 'is', value: 999 }) })
  assert.equal(status, 400)
  const supporter = await desk.post('/api/admin/rules/list', grace)
  assert.equal(supporter.status, 403)
  const gone = await desk.post('/api/admin/rules/detail', admin, { id: 999_999 })
  assert.equal(gone.status, 404)
})

test('a rule follows a custom field, logs none of its words, and names no field that does not exist', async () => {
  const made = await desk.post('/api/admin/fields/create', admin, {
    key: 'serial',
    label: 'Serial number',
    kind: 'text'
  })
  assert.equal(made.status, 201, made.body.message)
  const named = `f${made.data.field.id}`
  await aRule(desk, admin, {
    trigger: { events: ['ticket.updated'] },
    conditions: allOf({ field: named, op: 'is', value: 'SN-1' }),
    actions: [{ set_field: { key: 'serial', value: 'SN-2' } }]
  })
  const ticket = await opened()
  const set = await desk.post('/api/admin/tickets/update', admin, {
    id: ticket,
    priority: 'Low',
    fields: { serial: 'SN-1' }
  })
  assert.equal(set.status, 200, set.body.message)

  await runRules(desk)

  const [run] = await runsOf(ticket)
  assert.deepEqual(run.detail, {
    conditions: [[{ field: named, op: 'is', fits: true }]],
    actions: [{ set_field: 'done' }]
  })
  const unknown = await desk.post('/api/admin/rules/create', admin, {
    name: 'No',
    trigger: { events: ['ticket.created'] },
    conditions: allOf({ field: 'f999', op: 'is', value: 'SN-1' }),
    actions: [{ set_priority: 'High' }]
  })
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['conditions.all.0.any.0.field']])
})
