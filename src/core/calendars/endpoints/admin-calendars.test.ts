import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { saveUses } from '../../definitions/uses.ts'
import { sequence } from '../../events/read-events.ts'
import { countingCalendar } from '../calendars.ts'

const desk = await bootDesk({ connections: 4, config: { TEST_CLOCK: true } })
const admin = await anAdmin(desk)
await desk.post('/api/test/clock', admin, { now: '2026-03-10T09:00:00Z' })

let serial = 0
const nineToFive = [['09:00', '17:00']]
const office = { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }
const call = async (verb: string, body: object = {}, by = admin) =>
  await desk.post(`/api/admin/calendars/${verb}`, by, body)

function berlin(more: object = {}) {
  const weeks = [{ valid_from: null, hours: office }]
  return { name: `Berlin ${++serial}`, time_zone: 'Europe/Berlin', weeks, ...more }
}

async function aCalendar(more: object = {}) {
  const reply = await call('create', berlin(more))
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.calendar
}

test('a new desk has Always, and Monday to Friday from nine to five as its default', async () => {
  const { calendars } = (await call('list')).data

  assert.deepEqual(
    calendars.map(({ id: _id, ...calendar }: { id: number }) => calendar).slice(0, 2),
    [
      { name: 'Always', is_always: 1, is_default: 0, weeks: [], opens_at: null },
      {
        name: 'Mon–Fri 9–17',
        is_always: 0,
        is_default: 1,
        weeks: [{ valid_from: null, hours: office }],
        opens_at: '2026-03-11T09:00:00.000Z'
      }
    ].map(calendar => ({ time_zone: 'UTC', is_archived: 0, version: 1, ...calendar }))
  )
})

test('the list tells when each calendar next opens, also over a holiday; an archived one does not', async () => {
  const holiday = await aCalendar({ days: [{ date: '2026-03-11', name: 'Day off', hours: [] }] })
  const former = await aCalendar()
  await call('archive', { id: former.id })

  const { calendars } = (await call('list')).data

  const opening = (id: number) => calendars.find((each: { id: number }) => each.id === id).opens_at
  assert.deepEqual([opening(holiday.id), opening(former.id)], ['2026-03-12T08:00:00.000Z', null])
})

test('what is created is answered and shown as it was sent, with its spans and days in order', async () => {
  const given = {
    name: 'Berlin office',
    time_zone: 'Europe/Berlin',
    is_always: 0,
    weeks: [
      { valid_from: '2026-07-01', hours: { mon: [['08:00', '16:00']] } },
      {
        valid_from: null,
        hours: {
          mon: [
            ['13:00', '17:00'],
            ['09:00', '12:30']
          ],
          tue: [['09:00', '24:00']],
          wed: []
        }
      }
    ],
    days: [
      { date: '2026-12-25', name: 'Christmas Day' },
      { date: '2026-12-24', name: 'Christmas Eve', hours: [['09:00', '12:00']] }
    ]
  }

  const created = await call('create', given)
  const shown = await call('detail', { id: created.data.calendar.id })

  assert.equal(created.status, 201)
  const { id, ...calendar } = created.data.calendar
  assert.deepEqual(calendar, {
    ...given,
    is_default: 0,
    is_archived: 0,
    version: 1,
    weeks: [
      {
        valid_from: null,
        hours: {
          mon: [
            ['09:00', '12:30'],
            ['13:00', '17:00']
          ],
          tue: [['09:00', '24:00']],
          wed: []
        }
      },
      given.weeks[0]
    ],
    days: [given.days[1], { ...given.days[0], hours: [] }]
  })
  assert.deepEqual(shown.data.calendar, created.data.calendar)
  assert.ok(id > 0)
})

test('names are unique regardless of case, and required like the zone', async () => {
  const { name } = await aCalendar()

  const taken = await call('create', berlin({ name: name.toUpperCase() }))
  const other = await aCalendar()
  const renamed = await call('update', { id: other.id, name })
  const empty = await call('create', {})

  assert.deepEqual([taken.status, taken.body.reason, taken.body.errors], [409, 'calendar_exists', ['name']])
  assert.equal(renamed.status, 409)
  assert.deepEqual(empty.body.errors, ['name', 'time_zone'])
})

test('an update is partial, raises the version, and is told with what was different', async () => {
  const calendar = await aCalendar({ days: [{ date: '2026-12-25', name: 'Christmas', hours: [] }] })

  const { id } = calendar
  const days = [...calendar.days, { date: '2026-12-26', name: 'Boxing Day', hours: [] }]
  const changed = await call('update', { id, name: `${calendar.name} new`, days, expected_version: 1 })
  const again = await call('update', { id, name: `${calendar.name} new` })
  const outdated = await call('update', { id, name: 'x', expected_version: 1 })

  assert.deepEqual(changed.data.calendar, { ...calendar, name: `${calendar.name} new`, days, version: 2 })
  assert.equal(again.data.calendar.version, 2)
  assert.deepEqual([outdated.status, outdated.body.reason], [409, 'version_conflict'])
  await sequence(desk.services)
  const { events } = (await desk.post('/api/admin/events', admin, { limit: 200 })).data
  const { kind, before, after } = events.findLast((event: { subject_id: number }) => event.subject_id === id)
  assert.deepEqual(
    { kind, before, after },
    {
      kind: 'calendar.changed',
      before: { name: calendar.name, version: 1 },
      after: { name: `${calendar.name} new`, version: 2, days: [days[1]] }
    }
  )
  assert.deepEqual(await auditOf(id), ['calendar.changed', 'calendar.changed'])
})

async function auditOf(id: number) {
  const { entries } = (await desk.post('/api/admin/audit/list', admin, { target_type: 'calendar', target_id: id })).data
  return entries.map(({ action }: { action: string }) => action)
}

test('days of a year replace those of that year alone', async () => {
  const newYear = (year: number) => ({ date: `${year}-01-01`, name: 'New Year', hours: [] })
  const { id } = await aCalendar({ days: [newYear(2027), newYear(2028)] })
  const christmas = { date: '2027-12-25', name: 'Christmas', hours: [] }

  const set = await call('days', { id, year: 2027, days: [christmas] })
  const stray = await call('days', { id, year: 2027, days: [newYear(2028)] })
  const emptied = await call('update', { id, days_of: [2027, 2028], days: [] })

  assert.deepEqual(set.data.calendar.days, [christmas, newYear(2028)])
  assert.deepEqual([stray.status, stray.body.errors], [400, ['days.2028-01-01']])
  assert.deepEqual(emptied.data.calendar.days, [])
})

test('one calendar is the default; it is neither archived nor deleted', async () => {
  const { id } = await aCalendar()
  const { calendars } = (await call('list')).data
  const former = calendars.find(({ is_default }: { is_default: number }) => is_default === 1).id

  const chosen = await call('update', { id, is_default: 1 })
  const refused = [
    await call('archive', { id }),
    await call('delete', { id }),
    await call('update', { id, is_default: 0 })
  ]

  assert.equal(chosen.data.calendar.is_default, 1)
  assert.equal((await call('detail', { id: former })).data.calendar.is_default, 0)
  for (const reply of refused) assert.deepEqual([reply.status, reply.body.reason], [409, 'default_calendar'])
  await call('update', { id: former, is_default: 1 })
})

test('of calendars that are made the default at once one is it in the end, and none is refused', async () => {
  const former = (await call('list', {})).data.calendars.find((each: { is_default: 0 | 1 }) => each.is_default).id
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await aCalendar(), await aCalendar()]

    const replies = await Promise.all([one, other].map(({ id }) => call('update', { id, is_default: 1 })))

    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200]
    )
    const { calendars } = (await call('list', {})).data
    assert.equal(calendars.filter((each: { is_default: 0 | 1 }) => each.is_default).length, 1)
  }
  assert.equal((await call('update', { id: former, is_default: 1 })).status, 200)
})

test('a calendar is archived, taken back and deleted', async () => {
  const { id } = await aCalendar()

  const archived = await call('archive', { id, expected_version: 1 })
  const chosen = await call('update', { id, is_default: 1 })
  const back = await call('unarchive', { id })
  const outdated = await call('delete', { id, expected_version: 1 })
  const deleted = await call('delete', { id })

  assert.deepEqual([archived.data.calendar.is_archived, back.data.calendar.is_archived], [1, 0])
  assert.equal(chosen.status, 409)
  assert.equal(outdated.status, 409)
  assert.deepEqual([deleted.status, deleted.data.deleted_id], [200, id])
  for (const verb of ['detail', 'update', 'archive', 'unarchive', 'delete']) {
    const gone = await call(verb, { id })
    assert.deepEqual([gone.status, gone.body.reason], [404, 'calendar_not_found'], verb)
  }
})

test('a calendar that a definition uses is not deleted, and the answer says which', async () => {
  const { id } = await aCalendar()
  const view = { name: 'Waiting', is_shared: 1, query: { status: 'Open' } }
  const made = await desk.post('/api/admin/views/create', admin, view)
  assert.equal(made.status, 201, made.body.message)
  const by = { kind: 'view', id: made.data.view.id } as const
  await saveUses(desk.db, by, [{ kind: 'calendar', id, where: 'targets.0.calendar_id' }])

  const refused = await call('delete', { id })
  const archived = await call('archive', { id })
  await saveUses(desk.db, by, [])

  assert.deepEqual([refused.status, refused.body.reason], [409, 'in_use'])
  assert.deepEqual(refused.data.uses, [{ ...by, name: 'Waiting', where: 'targets.0.calendar_id' }])
  assert.equal(archived.status, 200)
  assert.equal((await call('delete', { id })).status, 200)
})

test('all staff read the list, and only admins the rest', async () => {
  const supporter = await aSupporter(desk, 'tickets.reply')
  const client = await aClient(desk)
  const { id } = await aCalendar()

  assert.equal((await call('list', {}, supporter)).status, 200)
  assert.equal((await call('list', {}, client)).status, 403)
  for (const verb of ['detail', 'create', 'update', 'archive', 'unarchive', 'delete', 'days', 'preview']) {
    assert.equal((await call(verb, { id }, supporter)).status, 403, verb)
  }
})

test('what is worked out of a calendar is kept until it changes', async () => {
  const { id } = await aCalendar()
  const noon = new Date('2026-03-11T11:00:00Z')

  const before = await countingCalendar(desk.db, id)
  const same = await countingCalendar(desk.db, id)
  await call('days', { id, year: 2026, days: [{ date: '2026-03-11', name: 'Closed', hours: [] }] })
  const after = await countingCalendar(desk.db, id)

  assert.equal(same.open, before.open)
  assert.equal(before.open.add(noon, 60_000)?.toISOString(), '2026-03-11T11:01:00.000Z')
  assert.equal(after.open.add(noon, 60_000)?.toISOString(), '2026-03-12T08:01:00.000Z')
  assert.equal(after.version, 2)
})
