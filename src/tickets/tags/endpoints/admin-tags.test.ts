import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 10 })
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.edit_status', 'tickets.view_all')

test('a tag is added with its color, or grey, under a name that no other has in any case', async () => {
  const urgent = await create({ name: ' Urgent ', color: '#C0392B' })
  const before = await desk.rowCounts()
  const again = await create({ name: 'URGENT' })
  const unfit = [await create({ name: 'x', color: 'red' }), await create({ name: 'x', colour: '#12345g' })]
  const after = await desk.rowCounts()
  const plain = await create({ name: 'plain' })

  assert.equal(urgent.status, 201)
  assert.deepEqual(
    [urgent.data.tag.name, urgent.data.tag.color, urgent.data.tag.ticket_count],
    ['Urgent', '#c0392b', 0]
  )
  assert.deepEqual([again.status, again.body.errors], [409, ['name']])
  assert.deepEqual(
    unfit.map(({ status, body }) => [status, body.errors]),
    Array(2).fill([400, ['color']])
  )
  assert.deepEqual(after, before)
  assert.equal(plain.data.tag.color, '#808080')
  assert.deepEqual(await lastEvent(), ['tag.created', plain.data.tag.id, null, { name: 'plain', color: '#808080' }])
})

test('the list is by name, finds a part of it to the letter, and counts the tickets', async () => {
  const ids = await tags('list b', 'List A', 'list_c')
  await tag(ids[0]!, 2)
  const supporter = await aSupporter(desk, 'tickets.view_all')

  const all = await desk.post('/api/admin/tags/list', supporter, { search: 'LIST' })
  const literal = await desk.post('/api/admin/tags', supporter, { search: 't_' })
  const second = await desk.post('/api/admin/tags/list', supporter, { search: 'list', page: 2, limit: 2 })

  assert.deepEqual(
    all.data.tags.map(({ name, ticket_count }: { name: string; ticket_count: number }) => [name, ticket_count]),
    [
      ['List A', 0],
      ['list b', 2],
      ['list_c', 0]
    ]
  )
  assert.deepEqual([all.data.count, all.data.total, all.data.page, all.data.limit], [3, 3, 1, 100])
  assert.deepEqual([literal.data.total, literal.data.tags[0].name], [1, 'list_c'])
  assert.deepEqual([second.data.count, second.data.total], [1, 3])
})

test('a tag counts the tickets that the caller sees', async () => {
  const [id] = await tags('within sight')
  const [assigned] = await tag(id!, 3)
  const supporter = await aSupporter(desk, 'tickets.reply')
  await desk.db.updateTable('tickets').set({ assigned_staff_id: supporter.id }).where('id', '=', assigned!).execute()
  const countFor = async (person: Person) =>
    (await desk.post('/api/admin/tags/list', person, { search: 'within sight' })).data.tags[0].ticket_count

  assert.deepEqual([await countFor(grace), await countFor(supporter)], [3, 1])
})

test('a tag is renamed and recolored, in its own e-mails too, but not to the name of another', async () => {
  const [one, other] = await tags('rename me', 'taken')

  const renamed = await desk.post(`/api/admin/tags/${one}/update`, grace, { name: 'Rename Me', color: '#ABCDEF' })
  const event = await lastEvent()
  const before = await desk.rowCounts()
  const refused = await desk.post('/api/admin/tags/update', grace, { id: one, name: 'TAKEN' })
  const same = await desk.post('/api/admin/tags/update', grace, { id: other, name: 'taken' })
  const unknown = await desk.post('/api/admin/tags/update', grace, { id: 987_654, name: 'x' })

  assert.deepEqual([renamed.data.tag.name, renamed.data.tag.color], ['Rename Me', '#abcdef'])
  assert.deepEqual(event, [
    'tag.updated',
    one,
    { name: 'rename me', color: '#808080' },
    { name: 'Rename Me', color: '#abcdef' }
  ])
  assert.deepEqual([refused.status, refused.body.errors, same.status, unknown.status], [409, ['name'], 200, 404])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('merged into another, a tag is gone, and whoever bore it bears the other once', async () => {
  const [from, into] = await tags('colour', 'color')
  const [both, single] = await tag(from!, 2)
  await desk.db.insertInto('ticket_tags').values({ ticket_id: both!, tag_id: into! }).execute()

  const merged = await desk.post('/api/admin/tags/merge', grace, { from_id: from, into_id: into })

  assert.deepEqual([merged.status, merged.data.merged_id, merged.data.tickets_moved], [200, from, 2])
  assert.deepEqual([merged.data.tag.id, merged.data.tag.ticket_count], [into, 2])
  assert.deepEqual(await tagsOf(both!, single!), [
    [both, into],
    [single, into]
  ])
  assert.deepEqual(await lastEvent(), [
    'tag.merged',
    from,
    { name: 'colour' },
    { name: 'color', into_id: into, tickets: 2 }
  ])

  const before = await desk.rowCounts()
  const self = await desk.post(`/api/admin/tags/${into}/merge`, grace, { into_id: into })
  const gone = await desk.post('/api/admin/tags/merge', grace, { id: from, into_id: into })

  assert.deepEqual([self.status, self.body.errors, gone.status], [400, ['into_id'], 404])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('deleted, a tag is taken off its tickets, which stay', async () => {
  const [id] = await tags('over')
  const [ticket] = await tag(id!, 1)

  const deleted = await desk.post(`/api/admin/tags/${id}/delete`, grace)
  const again = await desk.post('/api/admin/tags/delete', grace, { id })

  assert.deepEqual([deleted.data, again.status], [{ deleted_id: id, ticket_count: 1 }, 404])
  assert.deepEqual(await tagsOf(ticket!), [])
  assert.deepEqual(await lastEvent(), ['tag.deleted', id, { name: 'over', tickets: 1 }, null])
  assert.equal((await desk.post('/api/tickets/detail', ada, { id: ticket })).status, 200)
})

test('of several who add, rename to or merge the same at once one does it', async () => {
  const added = await Promise.all(['race', 'Race', 'RACE', 'rAce'].map(name => create({ name })))
  const [one, two] = await tags('left', 'right')
  const renamed = await Promise.all(
    [one, two].map(id => desk.post('/api/admin/tags/update', grace, { id, name: 'middle' }))
  )
  const tickets = [...(await tag(one!, 1)), ...(await tag(two!, 1))]
  const merged = await Promise.all([
    desk.post('/api/admin/tags/merge', grace, { id: one, into_id: two }),
    desk.post('/api/admin/tags/merge', grace, { id: two, into_id: one })
  ])

  assert.deepEqual(added.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
  assert.deepEqual(renamed.map(({ status }) => status).toSorted(), [200, 409])
  assert.deepEqual(merged.map(({ status }) => status).toSorted(), [200, 404])
  assert.equal((await tagsOf(...tickets)).length, 2)
})

function create(fields: object) {
  return desk.post('/api/admin/tags/create', grace, fields)
}

async function tags(...names: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) ids.push((await create({ name })).data.tag.id)
  return ids
}

/** So many new tickets that bear the tag. */
async function tag(tagId: number, count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push((await aTicket(desk, ada)).ticket_id)
  await desk.db
    .insertInto('ticket_tags')
    .values(ids.map(ticket_id => ({ ticket_id, tag_id: tagId })))
    .execute()
  return ids
}

async function tagsOf(...tickets: number[]): Promise<[ticket: number, tag: number][]> {
  const rows = await desk.db
    .selectFrom('ticket_tags')
    .where('ticket_id', 'in', tickets)
    .selectAll()
    .orderBy('ticket_id')
    .execute()
  return rows.map(({ ticket_id, tag_id }) => [ticket_id, tag_id])
}

async function lastEvent(): Promise<unknown[]> {
  const { action, target_id, before, after } = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return [action, target_id, before, after]
}
