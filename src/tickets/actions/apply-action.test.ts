import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { limitTo, aTicket as openTicket, ticketRow, timeline } from '../../../test/support/tickets.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, kindsOf, localReceivers } from '../../../test/support/webhooks.ts'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Action } from './action-values.ts'
import { applyAction } from './apply-action.ts'
import { storedActions } from './stored-actions.ts'

const desk = await bootDesk({ connections: 6, config: localReceivers })
const { services } = desk
const [ada, admin] = [await aClient(desk, { is_email_verified: true }), await anAdmin(desk)]
const [grace, alan] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.view_all')]
const office = await aDepartment('Billing')
const cause = { rule_id: 7, event_id: 1, chain_id: 1, depth: 1 }

async function aDepartment(name: string) {
  const made = await desk.post('/api/admin/departments/create', admin, { name })
  assert.equal(made.status, 201, made.body.message)
  return made.data.department as { id: number; deptid: number }
}

const opened = async () => (await openTicket(desk, ada)).ticket_id as number

/** Applies one action as the system does for a rule. */
const apply = (ticket: number, action: Action) =>
  act(
    services,
    system,
    async act => {
      const [stored] = await storedActions(act.db, [action])
      return await applyAction({ services, act, actor: system, ticket }, stored!)
    },
    cause
  )

test('R3 an action that changes nothing is skipped: no event, no version', async () => {
  const id = await opened()
  await desk.post('/api/admin/tags/create', admin, { name: 'calm' })
  await apply(id, { add_tags: ['calm'] })
  const before = { row: await ticketRow(desk, id), events: await timeline(desk, id) }

  for (const action of [
    { set_status: 'Open' },
    { set_priority: 'Medium' },
    { move_to: 1 },
    { assign: null },
    { add_tags: ['Calm'] }
  ] satisfies Action[]) {
    assert.deepEqual(await apply(id, action), { outcome: 'skipped', why: 'It is so already' })
  }

  assert.deepEqual({ row: await ticketRow(desk, id), events: await timeline(desk, id) }, before)
})

test('each action says what it changed, and its event bears the cause', async () => {
  const id = await opened()
  await desk.post('/api/admin/tags/create', admin, { name: 'vip' })

  const now = desk.clock.now()
  const outcomes = [
    await apply(id, { set_priority: 'High' }),
    await apply(id, { add_tags: ['vip'] }),
    await apply(id, { assign: grace.id }),
    await apply(id, { move_to: office.deptid }),
    await apply(id, { snooze: { minutes: 60, kind: 'third_party' } }),
    await apply(id, { watch: alan.id }),
    await apply(id, { note: 'To {{client.first_name}} of {{ticket.number}}' }),
    await apply(id, { remove_tags: ['vip'] }),
    await apply(id, { set_status: 'Closed' })
  ].map(outcome => ('from' in outcome ? [outcome.from, outcome.to] : [outcome]))
  const events = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', id)
    .where('kind', '<>', 'ticket.created')
    .select(['kind', 'cause', 'actor_type'])
    .orderBy('id')
    .execute()
  const [note] = await desk.db.selectFrom('ticket_notes').where('ticket_id', '=', id).select('note').execute()

  assert.deepEqual(outcomes, [
    ['Medium', 'High'],
    [[], ['vip']],
    [null, grace.id],
    [1, office.deptid],
    [null, outcomes[4]![1]],
    [null, alan.id],
    [null, null],
    [['vip'], []],
    ['In Progress', 'Closed']
  ])
  const minutes = (Date.parse(String(outcomes[4]![1])) - now.getTime()) / 60_000
  assert.ok(minutes >= 60 && minutes < 61)
  assert.match(note!.note, /^To Ada of TIC-/)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    [
      'updated',
      'tagged',
      'assigned',
      'updated',
      'snoozed',
      'watched',
      'noted',
      'tagged',
      'woken',
      'status_changed'
    ].map(kind => `ticket.${kind}`)
  )
  for (const event of events) assert.deepEqual([event.cause, event.actor_type], [cause, 'system'])
})

test('R11 what can no longer be used is skipped with a reason, and refused where it is chosen', async () => {
  const id = await opened()
  const gone = await aSupporter(desk, 'tickets.reply')
  const closed = await aDepartment('Closed soon')
  const actions: Action[] = [
    { assign: gone.id },
    { move_to: closed.deptid },
    { assign: { round_robin: closed.deptid } }
  ]
  const stored = await desk.db.transaction().execute(db => storedActions(db, actions))
  await desk.db.updateTable('staff').where('id', '=', gone.id).set({ is_active: false }).execute()
  await desk.db.updateTable('departments').where('id', '=', closed.id).set({ is_active: false }).execute()

  const outcomes = await act(services, system, async act => {
    const outcomes = []
    for (const action of stored) outcomes.push(await applyAction({ services, act, actor: system, ticket: id }, action))
    return outcomes
  })
  const chosen = desk.db.transaction().execute(db => storedActions(db, [...actions, { add_tags: ['none such'] }]))

  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['skipped', 'skipped', 'skipped']
  )
  await assert.rejects(chosen, {
    errors: ['actions.0.assign', 'actions.1.move_to', 'actions.2.assign', 'actions.3.add_tags']
  })
  // What stood there before may stay.
  await desk.db.transaction().execute(db => storedActions(db, actions, { former: stored }))
})

test('a department assigns in turn, fairly even at once, and passes over who is away or deactivated', async () => {
  const members = [await aSupporter(desk), await aSupporter(desk), await aSupporter(desk), await aSupporter(desk)]
  for (const { id } of members) await limitTo(desk, id, office.id)
  const [first, away, off, last] = members as [typeof grace, typeof grace, typeof grace, typeof grace]
  const tomorrow = new Date(desk.clock.now().getTime() + 86_400_000)
  await desk.db.updateTable('staff').where('id', '=', away.id).set({ away_until: tomorrow }).execute()
  await desk.db.updateTable('staff').where('id', '=', off.id).set({ is_active: false }).execute()
  const tickets = await Promise.all(Array.from({ length: 10 }, opened))
  for (const id of tickets) await apply(id, { move_to: office.deptid })

  await Promise.all(tickets.map(id => apply(id, { assign: { round_robin: office.deptid } })))
  const assigned = await desk.db
    .selectFrom('tickets')
    .where('id', 'in', tickets)
    .select(['assigned_staff_id', ({ fn }) => fn.countAll<number>().as('tickets')])
    .groupBy('assigned_staff_id')
    .orderBy('assigned_staff_id')
    .execute()
  await desk.db.updateTable('staff').where('id', '=', away.id).set({ away_until: desk.clock.now() }).execute()
  const later = await opened()
  await apply(later, { move_to: office.deptid })
  for (let turn = 0; turn < 3; turn++) await apply(later, { assign: { round_robin: office.deptid } })

  assert.deepEqual(assigned, [
    { assigned_staff_id: first.id, tickets: 5 },
    { assigned_staff_id: last.id, tickets: 5 }
  ])
  const turns = (await timeline(desk, later)).filter(([kind]) => kind === 'ticket.assigned').map(([, , after]) => after)
  assert.deepEqual(
    new Set(turns.map(after => (after as { assigned_staff_id: number }).assigned_staff_id)),
    new Set([first.id, away.id, last.id])
  )
})

test('an e-mail to the client goes to their address alone, and only where they get automatic e-mails', async () => {
  const id = await opened()
  const email: Action = { email_client: { subject: 'About {{ticket.subject}}', text: 'Dear {{client.first_name}}' } }

  const sent = await apply(id, email)
  await desk.db.updateTable('clients').where('id', '=', ada.id).set({ automatic_emails: false }).execute()
  const refused = await apply(id, email)
  await desk.db.updateTable('clients').where('id', '=', ada.id).set({ automatic_emails: true }).execute()
  const rows = await desk.db
    .selectFrom('outbox_messages')
    .where('kind', '=', 'client-notice')
    .select(['recipient', 'client_id'])
    .execute()

  assert.equal(sent.outcome, 'done')
  assert.deepEqual(refused, { outcome: 'skipped', why: 'The client has ended automatic e-mails' })
  assert.deepEqual(rows, [{ recipient: ada.email, client_id: ada.id }])
  assert.deepEqual((await timeline(desk, id)).at(-1), ['ticket.client_emailed', null, null])
})

test('staff are notified if they see the ticket, and never whoever acts', async () => {
  const id = await opened()
  await apply(id, { assign: grace.id })
  await apply(id, { watch: alan.id })
  const told = async (who: 'assignee' | 'watchers' | number) =>
    await apply(id, { notify_staff: { who, text: '{{ticket.number}} is gold' } })
  const byThemselves = await act(
    services,
    { type: 'staff', id: grace.id, name: 'Grace', ip: null, requestId: null },
    act =>
      applyAction(
        {
          services,
          act,
          actor: {
            ...{ population: 'staff', id: grace.id, firstName: 'Grace', lastName: '', email: grace.email },
            ...{ role: 'supporter', permissions: ['tickets.reply'], departments: undefined, owesSecondFactor: false }
          },
          ticket: id
        },
        { notify_staff: { who: 'assignee', text: 'Me' } }
      )
  )

  assert.deepEqual(await told('assignee'), { outcome: 'done', from: null, to: [grace.id] })
  assert.deepEqual(await told('watchers'), { outcome: 'done', from: null, to: [alan.id] })
  // A supporter who sees only their own tickets.
  const other = await aSupporter(desk, 'tickets.reply')
  assert.deepEqual(await told(other.id), { outcome: 'skipped', why: 'There is nobody to notify' })
  assert.deepEqual(byThemselves, { outcome: 'skipped', why: 'There is nobody to notify' })
})

test('a call of a webhook reaches that one, whatever kinds of events it is for, and no other', async () => {
  const [called, other] = [await aWebhookReceiver(), await aWebhookReceiver()]
  const webhook = await aWebhook(desk, admin, { url: called.url, kinds: ['ticket.purged'] })
  await aWebhook(desk, admin, { url: other.url, kinds: ['ticket.webhook_called'] })
  const id = await opened()

  const outcome = await apply(id, { webhook: webhook.id })
  await deliverWebhooks(desk)
  await desk.post('/api/admin/webhooks/update', admin, { id: webhook.id, is_active: 0 })
  const off = apply(id, { webhook: webhook.id })

  assert.deepEqual(outcome, { outcome: 'done', from: null, to: webhook.id })
  assert.deepEqual([kindsOf(called.requests), kindsOf(other.requests)], [['ticket.webhook_called'], []])
  await assert.rejects(off, { errors: ['actions.0.webhook'] })
})

test('M4 a placeholder without a value takes its fallback; without one the action is skipped', async () => {
  const id = await opened()

  const filled = await apply(id, { note: 'By {{staff.first_name|the desk}}' })
  const unset = await apply(id, { note: 'By {{staff.first_name}}' })
  const [note] = await desk.db.selectFrom('ticket_notes').where('ticket_id', '=', id).select('note').execute()

  assert.equal(filled.outcome, 'done')
  assert.equal(note!.note, 'By the desk')
  assert.deepEqual(unset, { outcome: 'skipped', why: 'There is no staff.first_name' })
})
