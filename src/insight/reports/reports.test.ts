import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootReportsDesk } from '../../../test/support/reports.ts'

const { desk, ada, admin, grace, at, opened, staff, client, report, csv, done } = await bootReportsDesk()
const march = { from: '2026-03-01', to: '2026-03-31' }
const of = (day: string) => ({ from: day, to: day })
let serial = 0
/** A month of its own for each test: the clock only goes forward. */
const month = () => `2026-${String(3 + serial++).padStart(2, '0')}`

await at('2026-03-01T00:00:00Z')

test('volume counts openings, closings and reopenings on their days, and each ticket behind them can be opened', async () => {
  const m = month()
  await at(`${m}-02T10:00:00Z`)
  const id = await opened()
  await at(`${m}-03T10:00:00Z`)
  await staff('status', { id, status: 'Closed' })
  await at(`${m}-04T10:00:00Z`)
  await client('reply', { id, message: 'Not yet' })
  await staff('status', { id, status: 'Closed' })

  const answer = await report('volume', { from: `${m}-02`, to: `${m}-04` })
  const behind = await report('tickets', { figure: 'closed', from: `${m}-02`, to: `${m}-04` })

  assert.deepEqual(answer.totals, { opened: 1, closed: 2, reopened: 1 })
  assert.deepEqual(
    answer.series.map((each: { from: string; opened: number; closed: number; reopened: number }) => [
      ...[each.from, each.opened, each.closed, each.reopened]
    ]),
    [
      [`${m}-02`, 1, 0, 0],
      [`${m}-03`, 0, 1, 0],
      [`${m}-04`, 0, 1, 1]
    ]
  )
  assert.deepEqual(
    behind.tickets.map(({ id, count, subject }: { id: number; count: number; subject: string }) => [
      id,
      count,
      subject
    ]),
    [[id, 2, 'The printer is on fire']]
  )
  assert.equal(answer.time_zone, 'UTC')
  assert.equal(answer.filled_to, `${m}-04T10:00:00.000Z`)
})

test('N2: the first response counts from the first message, after a closing without one from the next, and staff’s own tickets have none', async () => {
  const m = month()
  await at(`${m}-02T10:00:00Z`)
  const [id, dropped] = [await opened(), await opened()]
  await staff('create', { client_id: ada.id, department_id: 1, subject: 'For you', message: 'Hello' })
  await staff('status', { id: dropped, status: 'Closed' })
  await at(`${m}-02T12:00:00Z`)
  await staff('reply', { id, message: 'Here we are' })
  await at(`${m}-03T10:00:00Z`)
  await client('reply', { id: dropped, message: 'Hello?' })
  await at(`${m}-03T10:30:00Z`)
  await staff('reply', { id: dropped, message: 'Sorry' })

  const { totals, groups, series } = await report('first-response', { ...of(`${m}-02`), to: `${m}-03`, group: 'staff' })
  const { totals: work } = await report('agents', { ...of(`${m}-02`), to: `${m}-03` })

  assert.deepEqual(totals, { n: 2, mean_seconds: 4500, median_seconds: 4500, p90_seconds: 6660, is_about: false })
  assert.deepEqual(
    series.map(({ n, mean_seconds }: { n: number; mean_seconds: number }) => [n, mean_seconds]),
    [
      [1, 7200],
      [1, 1800]
    ]
  )
  assert.deepEqual([groups.length, groups[0].key, groups[0].label, groups[0].n], [1, grace.id, 'Grace Hopper', 2])
  assert.equal(work.replies, 2)
})

void [desk, csv, done, march, admin]
