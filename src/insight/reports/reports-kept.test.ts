import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anOrganisation, aPersonOf } from '../../../test/support/organisations.ts'
import { aClient } from '../../../test/support/people.ts'
import { bootReportsDesk, type Row } from '../../../test/support/reports.ts'
import { watchTickets } from '../../operation/health/watch-tickets.ts'
import { addUpDays } from '../facts/add-up-days.ts'
import { rebuildReports } from '../facts/fill-facts.ts'
import { reconcileBacklog } from '../facts/reconcile-backlog.ts'

const { desk, admin, aMonth, opened, staff, report, done } = await bootReportsDesk()

/** All that reports are made from, in order. */
const stored = async () => {
  const facts = await sql<Row>`select * from ticket_facts order by ticket_id, number`.execute(desk.db)
  const days = await sql<Row>`select * from report_days order by figure, dimension, key, day`.execute(desk.db)
  return { facts: facts.rows, days: days.rows }
}

/** A rebuild finds what is there already. */
async function rebuildsTheSame(): Promise<void> {
  // The reader has come to what happened last.
  await report('volume', { from: '2026-03-01', to: '2026-03-02' })
  const before = await stored()
  await rebuildReports(
    desk.services,
    () => addUpDays(desk.services),
    () => {}
  )
  assert.deepEqual(await stored(), before)
}

test('N7: erasing a person leaves the counts, whether their tickets stay or go, and a rebuild finds the same', async () => {
  const { day, span, at } = aMonth()
  for (const [mode, first] of [
    ['anonymize', 2],
    ['cascade', 10]
  ] as const) {
    await at(first)
    const bob = await aClient(desk)
    const id = await opened({}, bob)
    await staff('reply', { id, message: 'Hello' })
    const before = (await report('agents', span)).totals
    const { open } = (await report('backlog', span)).totals
    await at(first + 1)
    await done('/api/admin/clients/delete', admin, { id: bob.id, mode, confirm_email: bob.email })

    assert.deepEqual((await report('agents', span)).totals, before)
    const { tickets } = await report('tickets', { figure: 'replies', ...span })
    const row = tickets.find((each: Row) => each.id === id)
    assert.equal(row.subject === null, mode === 'cascade')
    // A ticket that is gone was open until then, and is open no longer.
    assert.equal((await report('backlog', span)).totals.open, mode === 'cascade' ? open - 1 : open)
    assert.equal((await report('backlog', { from: day(1), to: day(first) })).totals.open, open)
  }
  await rebuildsTheSame()
})

test('N7: a ticket that is older than the log is counted by its messages, its closing by when it was closed', async () => {
  const { day, at } = aMonth()
  await at(2)
  const id = await opened()
  await at(2, '13:00')
  await staff('reply', { id, message: 'Here' })
  await at(3)
  await staff('status', { id, status: 'Closed' })
  const span = { from: day(2), to: day(3) }
  const before = [await report('volume', span), (await report('first-response', span)).totals]
  await sql`delete from event_places where event_id in (select id from events where ticket_id = ${id})`.execute(desk.db)
  await sql`delete from events where ticket_id = ${id}`.execute(desk.db)
  await rebuildReports(
    desk.services,
    () => addUpDays(desk.services),
    () => {}
  )

  const [volume, first] = [await report('volume', span), (await report('first-response', span)).totals]
  assert.deepEqual([volume.series, first], [before[0].series, before[1]])
  assert.deepEqual(volume.totals, { opened: 1, closed: 1, reopened: 0 })
  assert.equal((await report('resolution', span)).totals.mean_seconds, 86_400)
  await rebuildsTheSame()
})

test('N6: what is counted follows merged and deleted tags, organisations and departments', async () => {
  const { span, at } = aMonth()
  await at(2)
  const [old, kept] = [await anOrganisation(desk), await anOrganisation(desk)]
  const bob = await aPersonOf(desk, old)
  const tagged = async (name: string) => (await done('/api/admin/tags/create', admin, { name })).tag.id as number
  const [red, crimson, gone] = [await tagged('red'), await tagged('crimson'), await tagged('gone')]
  const { department } = await done('/api/admin/departments/create', admin, { name: 'Repairs' })
  const id = await opened({ department_id: department.deptid }, bob)
  await staff('tags', { id, tags: ['crimson', 'red', 'gone'] }, admin)
  const of = async (group: string) =>
    (await report('volume', { ...span, group })).groups.map(({ label, opened }: Row) => [label, opened])
  const before = await of('tag')
  await done('/api/admin/tags/merge', admin, { id: crimson, into_id: red })
  await done('/api/admin/tags/delete', admin, { id: gone })
  await done('/api/admin/organisations/merge', admin, { id: old.id, into_id: kept.id, confirm_name: old.name })
  await done('/api/admin/departments/delete', admin, { id: department.deptid, move_to_department_id: 1 })
  await desk.deliver()

  assert.deepEqual(before, [
    ['crimson', 1],
    ['gone', 1],
    ['red', 1]
  ])
  assert.deepEqual(await of('tag'), [['red', 1]])
  assert.deepEqual(await of('organisation'), [[kept.name, 1]])
  assert.equal((await of('department')).length, 1)
  await rebuildsTheSame()
})

test('N6: what was counted of an erased ticket goes along when its department is deleted', async () => {
  const { span, at } = aMonth()
  await at(2)
  const { department } = await done('/api/admin/departments/create', admin, { name: 'Returns' })
  const bob = await aClient(desk)
  await opened({ department_id: department.deptid }, bob)
  await desk.deliver()
  await report('volume', span)
  await done('/api/admin/clients/delete', admin, { id: bob.id, mode: 'cascade', confirm_email: bob.email })
  await done('/api/admin/departments/delete', admin, { id: department.deptid, move_to_department_id: 1 })
  const { groups } = await report('volume', { ...span, group: 'department' })

  assert.deepEqual(
    groups.map(({ key, opened }: Row) => [key, opened]),
    [[1, 1]]
  )
  await rebuildsTheSame()
})

/** A new department, of whose one ticket the reports alone still tell. */
async function withErasedTicket(name: string, span: object): Promise<number> {
  const { department } = await done('/api/admin/departments/create', admin, { name })
  const bob = await aClient(desk)
  await opened({ department_id: department.deptid }, bob)
  await desk.deliver()
  await report('volume', span)
  await done('/api/admin/clients/delete', admin, { id: bob.id, mode: 'cascade', confirm_email: bob.email })
  return department.deptid
}

test('N6: departments that are deleted before the reports catch up each take what was counted of erased tickets where they went', async () => {
  const { span, at } = aMonth()
  await at(2)
  const ids: number[] = []
  for (const name of ['Wholesale', 'Workshop', 'Fairs']) {
    ids.push(await withErasedTicket(name, span))
  }
  const [first, second, third] = ids
  await report('volume', span)
  await done('/api/admin/departments/delete', admin, { id: first, move_to_department_id: 1 })
  await done('/api/admin/departments/delete', admin, { id: second, move_to_department_id: third })
  await done('/api/admin/departments/delete', admin, { id: third, move_to_department_id: 4 })
  const { groups } = await report('volume', { ...span, group: 'department' })

  assert.deepEqual(
    groups.map(({ key, opened }: Row) => [key, opened]),
    [
      [4, 2],
      [1, 1]
    ]
  )
  await rebuildsTheSame()
})

test('N6: what was counted of erased tickets is in one group without a key when their departments are deleted empty', async () => {
  const { span, at } = aMonth()
  await at(2)
  for (const name of ['Leasing', 'Spare parts']) {
    await done('/api/admin/departments/delete', admin, { id: await withErasedTicket(name, span) })
  }
  const { groups } = await report('volume', { ...span, group: 'department' })

  assert.deepEqual(groups, [{ key: null, label: null, opened: 2, closed: 0, reopened: 0 }])
  const behind = { figure: 'opened', ...span, group: 'department', key: null }
  assert.equal((await report('tickets', behind)).tickets.length, 2)

  // A later deletion takes along only what is its own.
  const { department } = await done('/api/admin/departments/create', admin, { name: 'Rental' })
  await opened({ department_id: department.deptid })
  await done('/api/admin/departments/delete', admin, { id: department.deptid, move_to_department_id: 1 })
  const after = (await report('volume', { ...span, group: 'department' })).groups
  assert.deepEqual(
    after.map(({ key, opened }: Row) => [key, opened]),
    [
      [1, 1],
      [null, 2]
    ]
  )
  await rebuildsTheSame()
})

test('what is open by the reports is compared with the sums of tickets, and a difference is a metric', async () => {
  watchTickets(desk.services)
  const measured = async () =>
    /^deskline_reports_backlog_difference (\d+)$/m.exec(await desk.services.metrics.registry.metrics())?.[1]
  await sql`update ticket_counts set tickets = tickets + 3 where ctid = (select min(ctid) from ticket_counts where status = 'Open')`.execute(
    desk.db
  )
  await desk.services.jobs.send(desk.db, 'sweep', {})
  await desk.deliver()
  const found = await measured()
  await sql`select recount_tickets()`.execute(desk.db)

  assert.equal(found, '3')
  assert.equal(await reconcileBacklog(desk.services), 0)
})

test('a report that is asked again is answered with what was kept, until a fact changes', async () => {
  const { span, at } = aMonth()
  await at(2)
  await opened()
  const volume = async () => (await report('volume', span)).totals.opened
  assert.equal(await volume(), 1)
  await desk.db.transaction().execute(async db => {
    // Nobody but this test changes days behind the desk's back.
    await sql`alter table report_days disable trigger user`.execute(db)
    await sql`update report_days set n = n + 5 where figure = 'opened'`.execute(db)
    await sql`alter table report_days enable trigger user`.execute(db)
  })
  assert.equal(await volume(), 1)
  await opened()
  assert.equal(await volume(), 2)
})
