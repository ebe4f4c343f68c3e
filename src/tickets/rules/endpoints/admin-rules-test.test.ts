import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { allOf, aRule, bootRulesDesk, runRules } from '../../../../test/support/rules.ts'
import { tableContents } from '../../../../test/support/table-contents.ts'
import { ticketRow } from '../../../../test/support/tickets.ts'

const { admin, ada, desk, grace, opened, update } = await bootRulesDesk()

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

const tried = async (body: object) => {
  const reply = await desk.post('/api/admin/rules/test', admin, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}

const rule = {
  trigger: { events: ['ticket.created'] },
  conditions: allOf({ field: 'priority', op: 'is', value: 'Medium' }, { field: 'subject', op: 'is_set' }),
  actions: [
    { set_priority: 'High' },
    { assign: grace.id },
    { add_tags: ['vip'] },
    { note: 'Looked at' },
    { set_priority: 'High' },
    { email_client: { subject: 'About {{ticket.number}}', text: 'Hello {{client.first_name}}' } },
    { notify_staff: { who: 'assignee', text: '{{ticket.number}} is yours' } },
    { snooze: { minutes: 60 } }
  ]
}
await desk.post('/api/admin/tags/create', admin, { name: 'vip' })

test('a dry run tells what a rule that is not saved would do, e-mails as rendered, and writes nothing', async () => {
  const follower = await aRule(desk, admin, {
    name: 'Follows',
    trigger: { events: ['ticket.assigned'] },
    conditions: allOf({ field: 'priority', op: 'is', value: 'High' })
  })
  await aRule(desk, admin, {
    name: 'Fits not',
    trigger: { events: ['ticket.assigned'] },
    conditions: allOf({ field: 'priority', op: 'is', value: 'Low' })
  })
  const ticket = await opened()
  await runRules(desk)
  const before = await tableContents(desk)
  const { ticket_number } = await ticketRow(desk, ticket)

  const { judged_by, results } = await tried({ rule, ticket_id: ticket })

  assert.deepEqual(await tableContents(desk), before)
  assert.equal(judged_by, 'ticket_as_it_is_now')
  const [{ emails, changes, conditions, actions, ...result }] = results
  const until = changes.pop()
  assert.deepEqual([until.field, until.before], ['snoozed_until', null])
  assert.deepEqual(changes, [
    { field: 'priority', before: 'Medium', after: 'High' },
    { field: 'status', before: 'Open', after: 'In Progress' },
    { field: 'assigned_staff_id', before: null, after: grace.id },
    { field: 'tags', before: [], after: ['vip'] }
  ])
  assert.deepEqual(conditions[0], [{ field: 'priority', op: 'is', actual: 'Medium', fits: true }])
  assert.equal(typeof conditions[1][0].actual, 'string')
  assert.deepEqual(actions[4], { set_priority: 'skipped', why: 'It is so already' })
  assert.deepEqual(
    emails.map(({ to, subject }: Record<string, string>) => [to, subject]),
    [
      [ada.email, `[${ticket_number}] About ${ticket_number}`],
      [grace.email, emails[1].subject]
    ]
  )
  assert.match(emails[0].text, new RegExp(`Hello ${ada.first_name}`))
  assert.match(emails[1].text, new RegExp(`${ticket_number} is yours`))
  assert.deepEqual(result, {
    ticket_id: ticket,
    ticket_number,
    subject: 'The printer is on fire',
    event_id: result.event_id,
    outcome: 'would_run',
    followed_by: [{ rule_id: follower.id, name: 'Follows' }]
  })
})

test('a dry run over the last events judges the tickets as they are now, and writes nothing', async () => {
  const saved = await aRule(desk, admin, { is_active: 0 })
  const [fits, fitsNot, trashed] = [await opened(), await opened(), await opened()]
  await update(fitsNot, { priority: 'Low' })
  await desk.post('/api/admin/tickets/delete', admin, { id: trashed })
  await runRules(desk)
  const before = await tableContents(desk)

  const { results } = await tried({
    rule_id: saved.id,
    rule: { conditions: allOf({ field: 'priority', op: 'is', value: 'Medium' }) },
    last: 500
  })

  assert.deepEqual(await tableContents(desk), before)
  const outcomes = results.map(({ ticket_id, outcome }: Record<string, unknown>) => [ticket_id, outcome])
  assert.deepEqual(outcomes.slice(0, 2), [
    [fitsNot, 'no_match'],
    [fits, 'would_run']
  ])
  assert.ok(!outcomes.some(([ticket]: unknown[]) => ticket === trashed))
  assert.deepEqual(results[0].changes, [])
  // The last event is that of the ticket in the trash.
  assert.equal((await tried({ rule_id: saved.id, last: 2 })).results.length, 1)
})

test('a dry run of a timer judges the newest tickets, and conditions on the event see the newest that it follows', async () => {
  const ticket = await opened()
  await update(ticket, { priority: 'High' })
  await runRules(desk)
  const timer = { trigger: { timer: { basis: 'created', minutes: 60 } }, actions: [{ set_priority: 'Low' }] }
  const onEvent = {
    trigger: { events: ['ticket.updated'] },
    conditions: allOf({ field: 'event.after.priority', op: 'is', value: 'High' }),
    actions: [{ set_priority: 'Low' }]
  }

  const [newest] = (await tried({ rule: timer, last: 2 })).results
  const [one] = (await tried({ rule: timer, ticket_id: ticket })).results
  const [followed] = (await tried({ rule: onEvent, ticket_id: ticket })).results

  assert.deepEqual(newest, one)
  assert.deepEqual([one.event_id, one.outcome, followed.outcome], [null, 'would_run', 'would_run'])
  assert.ok(followed.event_id > 0)
})

test('a dry run is of one rule on one ticket or on the last, and refuses what could not be saved', async () => {
  const ticket = await opened()
  const other = await opened()
  const { id } = await aRule(desk, admin)
  await desk.post('/api/admin/tickets/merge', admin, { id: other, into_id: ticket })
  const test = async (body: object) => {
    const { status, body: answer } = await desk.post('/api/admin/rules/test', admin, body)
    return [status, ...(answer.errors ?? [])]
  }

  assert.deepEqual(await test({}), [400, 'rule_id', 'ticket_id'])
  assert.deepEqual(await test({ rule_id: id }), [400, 'ticket_id'])
  assert.deepEqual(await test({ rule_id: id, ticket_id: ticket, last: 2 }), [400, 'ticket_id', 'last'])
  assert.deepEqual(await test({ ticket_id: ticket }), [400, 'rule_id'])
  assert.deepEqual(await test({ rule: {}, ticket_id: ticket }), [400, 'rule.trigger', 'rule.actions'])
  assert.deepEqual(await test({ rule_id: id, last: 501 }), [400, 'last'])
  assert.deepEqual(await test({ rule: { ...rule, actions: [{ assign: 4711 }] }, last: 1 }), [400, 'actions.0.assign'])
  assert.deepEqual(await test({ rule_id: 4_711, ticket_id: ticket }), [404])
  assert.deepEqual(await test({ rule_id: id, ticket_id: 999_999 }), [404])
  assert.deepEqual(await test({ rule_id: id, ticket_id: other }), [409])
})
