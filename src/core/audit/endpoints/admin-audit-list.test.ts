import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin, type Person } from '../../../../test/support/people.ts'
import { system } from '../../actor.ts'
import { insertEvents } from '../../events/insert-events.ts'
import { auditActorOf } from '../audit-actor.ts'

const desk = await bootDesk()
let admin: Person

before(async () => {
  admin = await anAdmin(desk)
  const by = auditActorOf(system)
  const tag = { type: 'tag', id: 1 } as const
  const department = { type: 'department', id: 2 } as const
  const [odd, quoted] = [
    { name: '=1+1', color: '#ff0000' },
    { name: 'a "quoted", name', color: '#ff0000' }
  ]
  for (const event of [
    { kind: 'tag.created', subject: tag, after: odd, by },
    { kind: 'tag.updated', subject: tag, before: odd, after: quoted, by },
    { kind: 'department.created', subject: department, after: { name: 'Billing', is_active: true }, by }
  ] as const)
    await insertEvents(desk.db, [event], desk.clock.now())
})

test('the log is read newest first, by admins', async () => {
  const { data } = await desk.post('/api/admin/audit/list', admin)

  assert.deepEqual(
    data.entries.map((entry: { action: string }) => entry.action),
    ['department.created', 'tag.updated', 'tag.created']
  )
  assert.equal(data.total, 3)
  assert.deepEqual(data.entries[0].after, { name: 'Billing', is_active: true })
})

test('all that a filter names has to fit; an action may be named by its beginning', async () => {
  const actionsFor = async (filter: object) => {
    const { data } = await desk.post('/api/admin/audit', admin, filter)
    return data.entries.map((entry: { action: string }) => entry.action)
  }

  assert.deepEqual(await actionsFor({ action: 'tag.' }), ['tag.updated', 'tag.created'])
  assert.deepEqual(await actionsFor({ action: 'tag.created' }), ['tag.created'])
  assert.deepEqual(await actionsFor({ target_type: 'department', target_id: 2 }), ['department.created'])
  assert.deepEqual(await actionsFor({ actor_type: 'client' }), [])
  assert.deepEqual(await actionsFor({ to: '2020-01-01' }), [])
  assert.equal((await actionsFor({ from: '2020-01-01 10:00:00' })).length, 3)
})

test('a cursor leads through the log to its end, also while it grows; pages by number stay', async () => {
  const ids: number[] = []
  for (let cursor: number | null | undefined; cursor !== null; ) {
    const body = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await desk.post('/api/admin/audit/list', admin, body)
    ids.push(...data.entries.map((entry: { id: number }) => entry.id))
    assert.equal(data.total, 3)
    cursor = data.next_cursor
  }
  const second = (await desk.post('/api/admin/audit/list', admin, { limit: 2, page: 2 })).data

  assert.equal(ids.length, 3)
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => other - one)
  )
  assert.deepEqual([second.entries.length, second.entries[0].id, second.next_cursor], [1, ids[2], null])
  assert.equal((await desk.post('/api/admin/audit/list', admin, { cursor: 'x' })).status, 400)
})

test('as CSV it is quoted, and nothing in it is a formula', async () => {
  const { data } = await desk.post('/api/admin/audit/list', admin, { format: 'csv', action: 'tag.' })

  const [heading, updated] = data.csv.split('\r\n')
  assert.match(heading, /^id,created_at,action,/)
  assert.match(
    updated,
    /tag\.updated,system,,Deskline,tag,1,"\{""name"":""=1\+1"",.*,"\{""name"":""a \\""quoted\\"", name"",/
  )
})

test('a time that is none is refused', async () => {
  const reply = await desk.post('/api/admin/audit/list', admin, { from: 'yesterday' })

  assert.equal(reply.status, 400)
  assert.deepEqual(reply.body.errors, ['from'])
})
