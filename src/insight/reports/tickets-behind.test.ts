import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSupporter } from '../../../test/support/people.ts'
import { bootReportsDesk, type Row } from '../../../test/support/reports.ts'

const { desk, admin, aMonth, opened, staff, report, csv } = await bootReportsDesk()

test('N8: what is behind a figure can be opened wherever the report can be read, and tells nobody what is not theirs', async () => {
  const { day, span, at } = aMonth()
  const mary = await aSupporter(desk, 'tickets.reply', 'tickets.edit_status')
  await at(2)
  const [id, other] = [await opened(), await opened({ priority: 'High' })]
  await staff('reply', { id, message: 'Here' })
  await staff('reply', { id: other, message: 'Here' })
  await staff('assign', { id, assigned_staff_id: mary.id })
  // Two years by one filter are read from the days, whatever the figure.
  const years = { from: '2025-03-01', to: day(28), department_id: 1 }
  const { totals } = await report('first-response', years)
  const behind = async (body: object, by = admin) => (await report('tickets', body, by)).tickets as Row[]

  assert.equal((await behind({ figure: 'first_response', ...years, limit: 200 })).length, totals.n)
  assert.equal((await behind({ figure: 'replies', ...span, group: 'priority', key: 'High' })).length, 1)
  // What people did is not told as if it were the department's.
  assert.deepEqual(await behind({ report: 'volume', figure: 'replies', ...span }, mary), [])
  assert.deepEqual(await behind({ report: 'backlog', figure: 'first_response', ...span }, mary), [])
  assert.equal((await behind({ report: 'volume', figure: 'opened', ...span }, mary)).length, 1)
  // A metric divides promises alone.
  assert.equal((await behind({ figure: 'first_response', metric: 'first_response', ...span })).length, 2)
})

test('N8: the CSV of agents is by person, and by time if no group is asked for', async () => {
  const { span } = aMonth()
  const [agents, work] = [await csv('agents', span), await csv('agents', { ...span, group: null })]

  assert.match(agents[0]!, /^key,label,staff\.id,/)
  assert.match(work[0]!, /^from,to,utc_offset_minutes,replies,closed,first_response\.n,/)
})
