import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConditionField, fields } from './fields.ts'
import { operators } from './operators.ts'
import type { Condition, Conditions } from './schemas.ts'
import { usesIn } from './uses-in-conditions.ts'

const all = Object.entries(fields) as [string, ConditionField][]

test('every field whose values are ids or tags says what they name', () => {
  for (const [name, { kind, names }] of all) {
    assert.equal(names !== undefined, kind === 'id' || kind === 'tags', name)
  }
})

test('whatever a condition names in any field, with any operator and anywhere in the tree, is a use', () => {
  const conditions: Condition[] = all.flatMap(([field, { kind, names }]) =>
    Object.entries(operators[kind]).flatMap(([op, takes]): Condition[] => {
      if (!names || takes === 'nothing') return []
      return [{ field, op: op as Condition['op'], value: takes === 'many' ? [7, 8] : 7 }]
    })
  )
  const tree: Conditions = { all: [{ any: conditions }, { any: [conditions[0]!] }] }

  const uses = usesIn(tree)

  const expected = tree.all.flatMap(({ any }, group) =>
    any.flatMap(({ field, value }, place) =>
      [value].flat().map(id => ({
        kind: all.find(([name]) => name === field)![1].names,
        id,
        where: `conditions.all.${group}.any.${place}`
      }))
    )
  )
  assert.deepEqual(uses, expected)
  assert.ok(uses.length > 20)
})

test('statuses, texts and times name nothing, nor does a tag that does not exist', () => {
  const conditions: Conditions = {
    all: [
      {
        any: [
          { field: 'status', op: 'is', value: 'Open' },
          { field: 'subject', op: 'contains', value: '7' },
          { field: 'created_at', op: 'older_than', value: 7 },
          { field: 'assigned_staff_id', op: 'not_set' },
          { field: 'tags', op: 'has_any', value: ['never made'] }
        ]
      }
    ]
  }

  assert.deepEqual(usesIn(conditions), [])
})
