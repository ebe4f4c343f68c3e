import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filteredBy, isFiltered, parameterFor, queueSearchOf } from '../web/src/console/inbox/queue-search.ts'

const now = new Date('2026-03-10T12:00:00Z')

test('a list is filtered as its address says, and what an address cannot mean is ignored', () => {
  const search = queueSearchOf({
    status: 'open,in-progress,nonsense',
    priority: 'none of them',
    dept: 4,
    assignee: 'me',
    tag: '007',
    rating: 'bad',
    watched: 1,
    waiting: '3d',
    q: ' any ',
    sort: '-priority',
    elsewhere: 'x'
  })

  assert.deepEqual(search, {
    status: 'open,in-progress',
    dept: 4,
    assignee: 'me',
    tag: '007',
    rating: 'bad',
    watched: 1,
    waiting: '3d',
    q: 'any',
    sort: '-priority'
  })
  assert.deepEqual(filteredBy({ status: ['Closed'], merged: 1 }, search, 7, now), {
    status: ['Open', 'In Progress'],
    merged: 1,
    department_id: 4,
    assigned_staff_id: 7,
    tag: '007',
    rating: 'bad',
    watched: 1,
    waiting_since: '2026-03-07 12:00:00',
    search: 'any',
    sort: 'priority',
    direction: 'asc'
  })
})

test('"any" in an address removes the filter of the view, whichever fields that has', () => {
  const names = ['status', 'priority', 'dept', 'assignee', 'tag', 'watched', 'merged', 'waiting']
  const search = queueSearchOf(Object.fromEntries(names.map(name => [name, 'any'])))
  const view = { unassigned: 1, tag_id: 3, waiting: 1, merged: 1, department_id: 2, status: ['Open'] } as const

  assert.deepEqual(filteredBy({ ...view, status: [...view.status] }, search, 7, now), {})
  assert.equal(isFiltered(search), true)
  assert.equal(isFiltered(queueSearchOf({})), false)
})

test('choosing what the view has by itself leaves the filter out of the address', () => {
  const view = { status: ['Open' as const, 'Answered' as const], department_id: 2, watched: 1 as const }

  assert.equal(parameterFor(view, 'status', 'answered,open'), undefined)
  assert.equal(parameterFor(view, 'status', 'open'), 'open')
  assert.equal(parameterFor(view, 'dept', '2'), undefined)
  assert.equal(parameterFor(view, 'dept', '3'), 3)
  assert.equal(parameterFor(view, 'watched', 1), undefined)
})

test('a custom field in an address is a condition, beside those of the view and in place of one by the same field', () => {
  const own = { any: [{ field: 'f3', op: 'in' as const, value: [1] }] }
  const other = { any: [{ field: 'subject', op: 'contains' as const, value: 'fuse' }] }
  const view = { conditions: { all: [own, other] } }
  const filtered = (given: Record<string, unknown>) => filteredBy(view, queueSearchOf(given), 7, now).conditions?.all

  assert.deepEqual(filtered({ f4: 'has_any:1,2' }), [
    own,
    other,
    { any: [{ field: 'f4', op: 'has_any', value: [1, 2] }] }
  ])
  assert.deepEqual(filtered({ f3: 'in:2' }), [other, { any: [{ field: 'f3', op: 'in', value: [2] }] }])
  assert.deepEqual(filtered({ f3: 'any' }), [other])
  assert.deepEqual(filtered({ f5: 'is:SN-1', f6: 'number:12.5' })?.slice(2), [
    { any: [{ field: 'f5', op: 'is', value: 'SN-1' }] },
    { any: [{ field: 'f6', op: 'is', value: 12.5 }] }
  ])
  assert.deepEqual(filtered({ f7: 'checked:0' })?.slice(2), [
    {
      any: [
        { field: 'f7', op: 'is', value: false },
        { field: 'f7', op: 'not_set' }
      ]
    }
  ])
  assert.deepEqual(filtered({ f8: 'in:one', f9: 'nonsense', f0: 'is:1' }), [own, other])
  assert.equal(isFiltered(queueSearchOf({ f4: 'in:1' })), true)
})
