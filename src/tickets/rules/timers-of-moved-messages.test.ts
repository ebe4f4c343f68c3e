import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'

const { desk, admin, ada, opened } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

const client = await aRule(desk, admin, { trigger: { timer: { basis: 'last_client_message', minutes: 120 } } })
const reply = await aRule(desk, admin, { trigger: { timer: { basis: 'last_reply', minutes: 120 } } })

const done = async (path: string, body: object, by = admin) => {
  const reply = await desk.post(path, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}
const clockTo = (time: string) => done('/api/test/clock', { now: `2030-03-11T${time}:00Z` })
const asked = async (id: number): Promise<number> =>
  (await done('/api/tickets/reply', { id, message: 'And this?' }, ada)).message_id
const answered = async (id: number): Promise<number> =>
  (await done('/api/admin/tickets/reply', { id, message: 'An answer' })).message_id

/** When the timers of a ticket fall due: after a message of the client, and after a reply. */
async function duesOf(ticket: number): Promise<(string | undefined)[]> {
  await runRules(desk)
  const rows = await desk.db.selectFrom('rule_timers').where('ticket_id', '=', ticket).selectAll().execute()
  const dueBy = (id: number) =>
    rows
      .find(({ rule_id }) => rule_id === id)
      ?.due_at.toISOString()
      .slice(11, 16)
  return [dueBy(client.id), dueBy(reply.id)]
}

test('R8 timers go with the messages that are split off, and come back with them', async () => {
  await clockTo('09:00')
  const source = await opened()
  await clockTo('09:10')
  await answered(source)
  await clockTo('09:20')
  const moved = [await asked(source)]
  await clockTo('09:30')
  moved.push(await answered(source))
  assert.deepEqual(await duesOf(source), ['11:20', '11:30'])

  const { ticket_id: target } = await done('/api/admin/tickets/split', {
    id: source,
    message_ids: moved,
    subject: 'The other matter'
  })
  assert.deepEqual(
    [await duesOf(source), await duesOf(target)],
    [
      ['11:00', '11:10'],
      ['11:20', '11:30']
    ]
  )

  await done('/api/admin/tickets/unsplit', { id: target })
  assert.deepEqual(await duesOf(source), ['11:20', '11:30'])
})

test('R8 timers count by the messages of what is merged into a ticket, until it stands for itself again', async () => {
  await clockTo('13:00')
  const target = await opened()
  await clockTo('13:10')
  await answered(target)
  await clockTo('13:20')
  const source = await opened()
  assert.deepEqual(await duesOf(target), ['15:00', '15:10'])

  await done('/api/admin/tickets/merge', { id: source, target_id: target })
  assert.deepEqual(await duesOf(target), ['15:20', '15:10'])

  await done('/api/admin/tickets/unmerge', { id: source })
  assert.deepEqual(
    [await duesOf(target), await duesOf(source)],
    [
      ['15:00', '15:10'],
      ['15:20', undefined]
    ]
  )
})

test('R8 what has fired, or was over before, does not fire because messages move', async () => {
  await clockTo('17:00')
  const source = await opened()
  const moved = await asked(source)
  await clockTo('20:00')
  const priority = async (id: number) => (await done('/api/admin/tickets/detail', { id })).ticket.priority
  await done('/api/admin/tickets/update', { id: source, priority: 'Low' })
  await done('/api/admin/tickets/split', { id: source, message_ids: [moved], subject: 'The other matter' })
  await clockTo('20:30')

  assert.deepEqual([await duesOf(source), await priority(source)], [[undefined, undefined], 'Low'])
})
