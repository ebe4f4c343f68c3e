import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionFaults } from './condition-faults.ts'

const one = (condition: unknown) => ({ all: [{ any: [condition] }] })
const placesOf = (given: unknown, scope: 'tickets' | 'lists' = 'tickets') =>
  conditionFaults(given, scope).map(({ at }) => at)

test('conditions with the operators and values of their fields are accepted', () => {
  const right = [
    { field: 'status', op: 'in', value: ['Open', 'In Progress'] },
    { field: 'department_id', op: 'in', value: [4] },
    { field: 'assigned_staff_id', op: 'not_set' },
    { field: 'assigned_staff_id', op: 'is_set', value: null },
    { field: 'tags', op: 'has_none', value: ['vip', 'urgent'] },
    { field: 'subject', op: 'contains', value: 'printer' },
    { field: 'created_at', op: 'is', value: '2026-03-10' },
    { field: 'created_at', op: 'before', value: '2026-03-10' },
    { field: 'created_at', op: 'after', value: '2026-03-10 09:00:00' },
    { field: 'created_at', op: 'after', value: '2026-03-10T09:00:00.000Z' },
    { field: 'created_at', op: 'after', value: '2026-03-10T09:00:00+05:30' },
    { field: 'updated_at', op: 'older_than', value: 60 }
  ]

  assert.deepEqual(placesOf({ all: right.map(condition => ({ any: [condition] })) }), [])
  assert.deepEqual(placesOf({ all: [{ any: right }] }), [])
  assert.deepEqual(placesOf({ all: [] }), [])
})

test('a misspelt field or operator, or a value of another kind, is told by its place', () => {
  const wrong: [unknown, string][] = [
    [{ field: 'stauts', op: 'is', value: 'Open' }, 'field'],
    [{ field: 'constructor', op: 'is', value: 'Open' }, 'field'],
    [{ field: '__proto__', op: 'is', value: 'Open' }, 'field'],
    [{ field: 7, op: 'is', value: 'Open' }, 'field'],
    [{ op: 'is', value: 'Open' }, 'field'],
    [{ field: 'status', op: 'equals', value: 'Open' }, 'op'],
    [{ field: 'status', op: 'toString', value: 'Open' }, 'op'],
    [{ field: 'status', op: 'contains', value: 'Open' }, 'op'],
    [{ field: 'tags', op: 'is', value: 'vip' }, 'op'],
    [{ field: 'status' }, 'op'],
    [{ field: 'status', op: 'is' }, 'value'],
    [{ field: 'status', op: 'is', value: 'Lost' }, 'value'],
    [{ field: 'status', op: 'in', value: 'Open' }, 'value'],
    [{ field: 'status', op: 'in', value: ['Open', 'Lost'] }, 'value'],
    [{ field: 'department_id', op: 'is', value: '4' }, 'value'],
    [{ field: 'department_id', op: 'is', value: 0 }, 'value'],
    [{ field: 'department_id', op: 'is', value: 1.5 }, 'value'],
    [{ field: 'department_id', op: 'is', value: 2 ** 53 }, 'value'],
    [{ field: 'department_id', op: 'in', value: { 0: 4 } }, 'value'],
    [{ field: 'assigned_staff_id', op: 'is', value: null }, 'value'],
    [{ field: 'assigned_staff_id', op: 'is_set', value: true }, 'value'],
    [{ field: 'tags', op: 'has_any', value: 'vip' }, 'value'],
    [{ field: 'tags', op: 'has_any', value: [''] }, 'value'],
    [{ field: 'tags', op: 'has_any', value: ['a\u0000'] }, 'value'],
    [{ field: 'tags', op: 'has_any', value: Array(101).fill('a') }, 'value'],
    [{ field: 'subject', op: 'contains', value: '\ud800' }, 'value'],
    [{ field: 'subject', op: 'is', value: 'a'.repeat(256) }, 'value'],
    [{ field: 'subject', op: 'is', value: ['a'] }, 'value'],
    [{ field: 'created_at', op: 'before', value: 'tomorrow' }, 'value'],
    [{ field: 'created_at', op: 'before', value: '2026-02-30' }, 'value'],
    [{ field: 'created_at', op: 'before', value: '2026-02-30T09:00:00Z' }, 'value'],
    [{ field: 'created_at', op: 'before', value: '2026-03-10T25:00:00Z' }, 'value'],
    [{ field: 'created_at', op: 'is', value: '2026-03-10 09:00:00' }, 'value'],
    [{ field: 'created_at', op: 'older_than', value: 0 }, 'value'],
    [{ field: 'created_at', op: 'older_than', value: '60' }, 'value'],
    [{ field: 'created_at', op: 'older_than', value: 1e9 }, 'value'],
    [{ field: 'status', op: 'is', value: 'Open', valeu: 1 }, 'valeu']
  ]

  for (const [condition, place] of wrong) {
    assert.deepEqual(placesOf(one(condition)), [`.all.0.any.0.${place}`], JSON.stringify(condition))
  }
})

test('what is no tree of groups, or has more than 20 conditions, is refused', () => {
  const open = { field: 'status', op: 'is', value: 'Open' }
  const wrong: [unknown, string[]][] = [
    [[], ['']],
    ['open', ['']],
    [{}, ['.all']],
    [{ all: {} }, ['.all']],
    [{ any: [open] }, ['.any']],
    [{ all: [open] }, ['.all.0.field']],
    [{ all: [{ any: [] }] }, ['.all.0.any']],
    [{ all: [{ any: open }] }, ['.all.0.any']],
    [{ all: [null, 'x'] }, ['.all.0', '.all.1']],
    [{ all: [{ any: [{ any: [open] }] }] }, ['.all.0.any.0.any']],
    [{ all: Array(21).fill({ any: [open] }) }, ['.all']],
    [{ all: Array(100_000).fill({ any: [] }) }, ['.all']],
    [{ all: [{ any: Array(10).fill(open) }, { any: Array(11).fill(open) }] }, ['.all']]
  ]

  for (const [given, places] of wrong) assert.deepEqual(placesOf(given), places, JSON.stringify(given).slice(0, 80))
  assert.deepEqual(placesOf({ all: [{ any: Array(20).fill(open) }] }), [])
})

test('what depends on who asks is for lists alone', () => {
  const watched = one({ field: 'watched', op: 'is', value: 1 })

  assert.deepEqual(placesOf(watched, 'lists'), [])
  assert.deepEqual(placesOf(watched), ['.all.0.any.0.field'])
})

test('conditions of rules may also name what the event was, and all others may not', () => {
  const right = [
    { field: 'event.kind', op: 'in', value: ['ticket.created', 'sla.breached'] },
    { field: 'event.actor', op: 'is', value: 'client' },
    { field: 'event.channel', op: 'is', value: 'email' },
    { field: 'event.before.status', op: 'is', value: 'Open' },
    { field: 'event.after.assigned_staff_id', op: 'not_set' },
    { field: 'event.after.tags', op: 'has_any', value: ['vip'] },
    { field: 'subject', op: 'contains', value: 'printer' }
  ]
  const wrong = [
    { field: 'event.kind', op: 'is', value: 'ticket.deleted' },
    { field: 'event.kind', op: 'is', value: 'tag.deleted' },
    { field: 'event.actor', op: 'is', value: 'nobody' },
    { field: 'event.before.created_at', op: 'is_set' },
    { field: 'event.during.status', op: 'is_set' },
    { field: 'event.after.constructor', op: 'is_set' },
    { field: 'watched', op: 'is', value: 1 }
  ]

  assert.deepEqual(conditionFaults({ all: [{ any: right }] }, 'events'), [])
  assert.equal(conditionFaults({ all: [{ any: wrong }] }, 'events').length, wrong.length)
  assert.equal(conditionFaults({ all: [{ any: right }] }, 'tickets').length, right.length - 1)
  assert.equal(conditionFaults({ all: [{ any: right }] }, 'lists').length, right.length - 1)
})
