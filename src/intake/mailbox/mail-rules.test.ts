import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0 } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })
await desk.post('/api/admin/tags/create', admin, { name: 'bank' })

const arrives = { events: ['mail.received'] }

async function aRule(field: string, op: string, value: unknown, actions: object[], more: object = {}) {
  const conditions = { all: [{ any: [{ field, op, value }] }] }
  const rule = { name: `On ${field}`, trigger: arrives, conditions, actions, is_active: 1, ...more }
  const { status, data, body } = await desk.post('/api/admin/rules/create', admin, rule)
  assert.equal(status, 201, JSON.stringify(body))
  return data.rule as { id: number; name: string }
}

async function logged(filter: object = {}) {
  const { data } = await desk.post('/api/admin/mail/log/list', admin, { direction: 'in', limit: 1, ...filter })
  return (await desk.post('/api/admin/mail/log/detail', admin, { id: data.mails[0].id })).data.mail
}

async function runsOf(rule: { id: number }) {
  return (await desk.post('/api/admin/rules/runs', admin, { rule_id: rule.id })).data.runs
}

test('8: a rule holds what arrives, or drops it with a row in the log, before anything is made of it', async () => {
  const holds = await aRule('event.subject', 'contains', 'invoice', [{ hold: 1 }])
  const drops = await aRule('event.headers.x-campaign', 'is_set', undefined, [{ drop: 1 }, { block_sender: 1 }])
  const before = await desk.rowCounts()

  const held = await receive(aMail({ From: 'held@rules.example', Subject: 'Your INVOICE' }))
  const heldRow = await logged()
  const dropped = await receive(aMail({ From: 'ad@rules.example', 'X-Campaign': 'autumn' }))
  const droppedRow = await logged()
  const next = await receive(aMail({ From: 'ad@rules.example', Subject: 'Again' }))

  const after = await desk.rowCounts()
  assert.deepEqual([held.outcome, held.reason], ['held', 'by_rule'])
  assert.deepEqual([dropped.outcome, dropped.reason], ['dropped', 'by_rule'])
  assert.deepEqual([next.outcome, next.reason], ['dropped', 'blocked_sender'])
  assert.deepEqual([after.tickets, after.clients], [before.tickets, before.clients])
  const ruleSteps = [heldRow, droppedRow].map(row => row.steps.find(({ step }: { step: string }) => step === 'rule'))
  assert.deepEqual(
    ruleSteps.map(({ rule_id, detail }) => [rule_id, detail]),
    [holds, drops].map(({ id, name }) => [id, name])
  )
  const [run] = await runsOf(drops)
  assert.deepEqual(
    [run.outcome, run.ticket_id, run.mail_id, run.detail.actions],
    ['ran', null, droppedRow.id, [{ drop: 'done' }, { block_sender: 'done' }]]
  )
})

test('8: a rule says how the ticket begins, and that nobody is told of it', async () => {
  await desk.post('/api/admin/departments/create', admin, { name: 'Banks', deptid: 9 })
  const { departments } = (await desk.post('/api/admin/departments/list', admin, {})).data
  const { deptid } = departments.find(({ name }: { name: string }) => name === 'Banks')
  const first = await aRule('event.sender', 'contains', '@bank.example', [
    { move_to: deptid },
    { set_priority: 'High' },
    { add_tags: ['bank'] },
    { no_acknowledgement: 1 }
  ])
  await desk.deliver()
  desk.outbox.emails.length = 0

  const { ticket_id } = await receive(aMail({ From: 'teller@bank.example', Subject: 'A statement' }))
  const { emails } = await desk.deliver()

  const { ticket } = (await desk.post('/api/admin/tickets/detail', admin, { id: ticket_id })).data
  assert.deepEqual(
    [ticket.department.deptid, ticket.priority, ticket.tags.map((tag: { name: string }) => tag.name ?? tag)],
    [deptid, 'High', ['bank']]
  )
  assert.deepEqual(
    emails.filter(({ to }) => to === 'teller@bank.example'),
    []
  )
  const [run] = await runsOf(first)
  assert.deepEqual(
    [run.ticket_id, run.detail.actions.map((action: object) => Object.values(action)[0])],
    [ticket_id, ['done', 'done', 'done', 'done']]
  )
})

test('8: conditions know sender, recipient, subject, size, verdict, spam score and headers, and nothing else', async () => {
  const fits: [string, string, unknown][] = [
    ['event.sender', 'is', 'all@fields.example'],
    ['event.recipient', 'is', 'support@desk.example'],
    ['event.subject', 'is_not', 'Nothing'],
    ['event.size', 'greater', 10],
    ['event.verdict', 'in', ['unknown', 'none']],
    ['event.spam_score', 'greater', 4.5],
    ['event.headers.x-name', 'contains', 'value']
  ]
  const conditions = { all: fits.map(([field, op, value]) => ({ any: [{ field, op, value }] })) }
  const rule = { name: 'All', trigger: arrives, conditions, actions: [{ hold: 1 }], is_active: 1 }
  await desk.post('/api/admin/rules/create', admin, rule)

  const headers = { From: 'all@fields.example', 'X-Name': 'A Value', 'X-Spam-Score': '5.1 (+++++)' }
  const receipt = await receive(aMail(headers), { recipient: 'support+x@desk.example' })

  assert.deepEqual([receipt.outcome, receipt.reason], ['held', 'by_rule'])
  const wrong = [
    { conditions: { all: [{ any: [{ field: 'status', op: 'is', value: 'Open' }] }] } },
    { trigger: { events: ['mail.received', 'ticket.created'] } },
    { actions: [{ email_client: { subject: 'Hi', text: 'There' } }] },
    { trigger: { events: ['ticket.created'] } },
    { actions: [{ hold: 0 }] }
  ]
  const errors = await Promise.all(
    wrong.map(async change => {
      const { status, body } = await desk.post('/api/admin/rules/create', admin, { ...rule, ...change })
      return [status, body.errors[0]]
    })
  )
  assert.deepEqual(errors, [
    [400, 'conditions.all.0.any.0.field'],
    [400, 'trigger.events'],
    [400, 'actions.0.email_client'],
    [400, 'actions.0.hold'],
    [400, 'actions.0.hold']
  ])
  const macro = await desk.post('/api/admin/macros/create', admin, { name: 'Hold', actions: [{ hold: 1 }] })
  assert.deepEqual([macro.status, macro.body.errors], [400, ['actions.0.hold']])
})

test('8: the recipient is the address of the desk wherever it stands, and addresses are compared in any letters, in a trial too', async () => {
  await aRule('event.recipient', 'is', 'Support@Desk.example', [{ hold: 1 }], {
    conditions: {
      all: [
        { any: [{ field: 'event.recipient', op: 'is', value: 'Support@Desk.example' }] },
        { any: [{ field: 'event.sender', op: 'is', value: 'Boss@Rules.example' }] }
      ]
    }
  })
  const fields = { From: 'BOSS@rules.example', To: 'partner@rules.example', Cc: 'Desk <support+x@desk.example>' }

  const receipt = await receive(aMail(fields))

  assert.deepEqual([receipt.outcome, receipt.reason], ['held', 'by_rule'])
  const mail = await logged()
  const { rules } = (await desk.post('/api/admin/rules/list', admin, {})).data
  const { id } = rules.find(({ name }: { name: string }) => name === 'On event.recipient')
  for (const on of [{ mail_id: mail.id }, { last: 1 }]) {
    const { data } = await desk.post('/api/admin/rules/test', admin, { rule_id: id, ...on })
    assert.equal(data.results[0].outcome, 'would_run', JSON.stringify(on))
  }
})

test('8: a rule is tried on an e-mail of the log without doing anything, and goes into the file of the configuration', async () => {
  await receive(aMail({ From: 'try@rules.example', Subject: 'Try me', 'X-Try': 'yes' }))
  const mail = await logged()
  const conditions = { all: [{ any: [{ field: 'event.headers.x-try', op: 'is', value: 'yes' }] }] }
  const rule = { name: 'Tried', trigger: arrives, conditions, actions: [{ drop: 1 }] }
  const before = await desk.rowCounts()

  const tried = await desk.post('/api/admin/rules/test', admin, { rule, mail_id: mail.id })
  const last = await desk.post('/api/admin/rules/test', admin, { rule, last: 3 })
  const onTicket = await desk.post('/api/admin/rules/test', admin, { rule, ticket_id: mail.ticket_id })

  assert.equal(tried.status, 200, JSON.stringify(tried.body))
  const [result] = tried.data.results
  assert.deepEqual(
    [result.outcome, result.mail_id, result.ticket_id, result.actions],
    ['would_run', mail.id, null, [{ drop: 'done' }]]
  )
  assert.deepEqual([last.data.results.length, onTicket.status], [3, 400])
  assert.deepEqual(await desk.rowCounts(), before)
  const { config } = (await desk.post('/api/admin/config/export', admin, {})).data
  const again = await desk.post('/api/admin/config/import', admin, { config, dry_run: 1 })
  assert.deepEqual([again.data.refused, again.data.updated], [[], again.data.updated])
  assert.match(JSON.stringify(config), /mail\.received/)
})

test('8: a rule that only watches logs what it would do, and staff who release a mail overrule the rules', async () => {
  const watching = await aRule('event.sender', 'is', 'watched@rules.example', [{ drop: 1 }], { watch_only: 1 })
  const receipt = await receive(aMail({ From: 'watched@rules.example', Subject: 'Seen' }))
  assert.equal(receipt.outcome, 'ticket')
  assert.deepEqual(
    (await runsOf(watching)).map(({ outcome }: { outcome: string }) => outcome),
    ['watched']
  )

  await receive(aMail({ From: 'released@rules.example', Subject: 'Another invoice' }))
  const row = await logged()
  const released = await desk.post('/api/admin/mail/held/release', admin, { id: row.held_mail_id })

  assert.deepEqual([row.reason, released.status, released.data.outcome], ['by_rule', 200, 'ticket'])
  assert.equal((await logged()).outcome, 'ticket')
})
