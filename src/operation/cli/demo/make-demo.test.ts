import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'
import { runRules } from '../../../../test/support/rules.ts'
import { slaReader } from '../../../tickets/sla/clock-reader.ts'
import { slaBreaches, slaWarnings } from '../../../tickets/sla/due-clocks.ts'
import { makeDemo } from './make-demo.ts'

const desk = await bootDesk({ connections: 3 })
const admin = await anAdmin(desk)
const made = await makeDemo(desk.services)

async function asked(path: string, body: object = {}) {
  const reply = await desk.post(path, admin, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}

async function detailOf(subject: string) {
  const { tickets } = await asked('/api/admin/tickets/list', { search: subject, snoozed: 'any' })
  const [ticket] = tickets.filter((each: { subject: string }) => each.subject === subject)
  assert.ok(ticket, subject)
  return await asked('/api/admin/tickets/detail', { id: ticket.id })
}

async function ticketNamed(subject: string) {
  return (await detailOf(subject)).ticket
}

async function clocksOf(subject: string): Promise<string[]> {
  const { clocks } = await asked('/api/admin/tickets/sla', { id: (await ticketNamed(subject)).id })
  return clocks.map(({ metric, state }: Record<string, string>) => `${metric} ${state}`)
}

test('the demo tells of what is late without one e-mail, and is made once', async () => {
  const reader = slaReader(desk.services)
  for (const work of [slaBreaches(desk.services, reader), slaWarnings(desk.services, reader)]) {
    while ((await work.runDue(desk.clock.now())) > 0);
  }
  const { emails, messages } = await desk.deliver({ early: true })
  const late = await desk.db
    .selectFrom('events')
    .where('kind', '=', 'sla.breached')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const again = await makeDemo(desk.services)

  assert.deepEqual([emails, messages], [[], []])
  assert.deepEqual([made, Number(late.count), again], [25, 3, 0])
})

test('clocks of the demo were met, run, are nearly due, stand, and are breached', async () => {
  assert.deepEqual(await clocksOf('Charged twice for November'), [
    ...['first_response met', 'resolution running', 'next_response running']
  ])
  assert.deepEqual(await clocksOf('Battery reserve ignored during a power cut'), [
    ...['first_response met', 'resolution paused', 'next_response met']
  ])
  assert.deepEqual(await clocksOf('Delivery date moved a third time'), [
    ...['first_response breached', 'resolution running']
  ])
  assert.deepEqual((await clocksOf('Second login for the cellar master'))[0], 'first_response breached')
  const { clocks } = await asked('/api/admin/tickets/sla', { id: (await ticketNamed('The printer is on fire')).id })
  const { state, left_seconds } = clocks.at(-1)
  assert.ok(state === 'running' && left_seconds > 0 && left_seconds < 1800, `${state}, ${left_seconds} s left`)
})

test('the office of the demo has a lunch break and the holidays of this year and the next', async () => {
  const { calendars } = await asked('/api/admin/calendars/list')
  const { id } = calendars.find(({ name }: { name: string }) => name === 'Berlin office')
  const { calendar } = await asked('/api/admin/calendars/detail', { id })
  const year = desk.clock.now().getUTCFullYear()

  assert.equal(calendar.weeks[0].hours.mon.length, 2)
  for (const each of [year, year + 1]) {
    assert.ok(
      calendar.days.some(({ date }: { date: string }) => date === `${each}-12-25`),
      `Christmas ${each}`
    )
  }
})

test('tickets of the demo are snoozed, split off, and block one another', async () => {
  const snoozed = await ticketNamed('One panel of the garage delivers nothing')
  const split = await detailOf('Invoice 2026-3502 without a VAT number')
  const blocked = await detailOf('Second inverter in the press house: when may it run?')

  assert.deepEqual([snoozed.snooze.kind, snoozed.snooze.reason.length > 0], ['third_party', true])
  assert.deepEqual(
    [...split.links, ...blocked.links].map(({ kind, direction, ticket }) => [kind, direction, ticket.subject]),
    [
      ['split_from', 'out', 'Wallbox for the tractor: which card opens it?'],
      ['blocks', 'in', 'Inverter shows error E-042 after firmware 8.1']
    ]
  )
})

test('the manager of the organisation sees the tickets of the two who joined by its domain', async () => {
  const credentials = { email: 'katharina@demo.example', password: 'Demo123!' }
  const { token } = (await desk.post('/api/auth/login', undefined, credentials)).data
  const reply = await desk.post('/api/tickets/list', { token }, { scope: 'organisation' })
  const names = reply.data.tickets.map(({ client }: { client: { first_name: string } }) => client.first_name)

  assert.deepEqual([...new Set(names)].toSorted(), ['Katharina', 'Lukas', 'Marta'])
})

test('a shared view of the demo selects by conditions', async () => {
  const { views } = await asked('/api/admin/views/list')
  const view = views.find(({ name }: { name: string }) => name === 'Urgent, or about money')
  const { tickets } = await asked('/api/admin/tickets/list', view.query)

  assert.ok(tickets.some(({ subject }: { subject: string }) => subject === 'Charged twice for November'))
})

test('the technical support of the demo asks for the product, and closes nothing without its cause', async () => {
  const { form } = await asked('/api/ticket-forms', { deptid: 1 })
  const inverter = await ticketNamed('Inverter shows error E-042 after firmware 8.1')
  const closed = await desk.post('/api/admin/tickets/status', admin, { id: inverter.id, status: 'Closed' })

  assert.deepEqual(
    form.items.map(({ field, required }: { field: { key: string }; required: number }) => [field.key, required]),
    [['product', 1], ...['serial_number', 'error_code', 'yield_kwh', 'cause', 'parts_used'].map(key => [key, 0])]
  )
  assert.deepEqual(inverter.fields, { product: 1, serial_number: '4417-22-0093', error_code: 'E-042' })
  assert.deepEqual([closed.status, closed.body.errors], [400, ['fields.cause']])
})

test('the demo has shared macros that change tickets, and none of them needs attention', async () => {
  const { macros } = await asked('/api/admin/macros/list')

  const changing = macros.filter(({ actions }: { actions: unknown[] }) => actions.length > 0)
  assert.deepEqual(
    changing.map(({ name, is_shared, attention }: Record<string, unknown>) => [name, is_shared, attention]),
    [
      ['Earth reference lost', 1, []],
      ['Refund: put off for three days', 1, []]
    ]
  )
})

test('the demo has two rules, which leave alone what happened before them', async () => {
  await runRules(desk)

  const { rules } = await asked('/api/admin/rules/list')
  const { runs } = await asked('/api/admin/rules/runs')

  assert.deepEqual(
    rules.map(({ name, is_active, watch_only, attention }: Record<string, unknown>) => [
      ...[name, is_active, watch_only, attention]
    ]),
    [
      ['VIP first', 1, 0, []],
      ['Close after a week of silence', 1, 1, []]
    ]
  )
  assert.deepEqual(runs, [])
})

test('the help centre of the demo has articles in English and German, a draft, one for staff, and one that solved a ticket', async () => {
  const { articles } = await asked('/api/admin/kb/articles/list')
  const { numbers } = await asked('/api/admin/kb/numbers')
  const anybody = await desk.post('/api/kb/list', undefined, { locale: 'de' })
  const { articles: solving } = await asked('/api/admin/kb/tickets/detail', {
    ticket_id: (await ticketNamed('New router, inverter offline')).id
  })
  const { total } = (await desk.post('/api/kb/search', undefined, { query: 'E-042', locale: 'de' })).data

  assert.deepEqual([articles.length, numbers.articles], [8, { draft: 1, published: 7, archived: 0 }])
  assert.deepEqual([numbers.articles_not_helpful, total], [1, 1])
  assert.deepEqual(
    solving.map(({ title, how }: Record<string, string>) => [title, how]),
    [['A new router: bring the inverter online again', 'solved']]
  )
  assert.ok(anybody.data.categories.every(({ name }: { name: string }) => name !== 'Nur für uns'))
})
