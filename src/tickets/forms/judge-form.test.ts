import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { missingItems, shownItems } from './judge-form.ts'

/** Items whose conditions look at earlier ones. */
const forms = fc
  .array(fc.record({ required: fc.boolean(), control: fc.nat(9), in: fc.uniqueArray(fc.nat(3), { minLength: 1 }) }), {
    maxLength: 10
  })
  .map(drafts =>
    drafts.map(({ required, control, in: wanted }, at) => ({
      field_id: at + 1,
      required,
      show_if: control < at ? { field_id: control + 1, in: wanted } : null
    }))
  )

const value = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', '  ', 'text'),
  fc.boolean(),
  fc.nat(3),
  fc.uniqueArray(fc.nat(3), { maxLength: 3 })
)

/** The rules in other words: an item is shown if every condition on the way to an item without one fits. */
function isShown(
  items: readonly (typeof forms extends fc.Arbitrary<infer T> ? T : never)[number][],
  at: number,
  values: unknown[]
): boolean {
  const { show_if } = items[at]!
  if (!show_if) return true
  const control = show_if.field_id - 1
  const has = [values[control]].flat().map(each => (each === true ? 1 : each === false ? 0 : each))
  return isShown(items, control, values) && show_if.in.some(wanted => has.includes(wanted))
}

test('F2, F3 what is hidden is neither asked nor missing, on random forms and values', () => {
  fc.assert(
    fc.property(forms, fc.array(value, { minLength: 10, maxLength: 10 }), (items, values) => {
      const valueIn = (id: number) => values[id - 1]
      const shown = items.filter((_, at) => isShown(items, at, values))
      const isEmpty = (each: unknown) => each === undefined || each === null || String(each).trim() === ''

      assert.deepEqual(shownItems(items, valueIn), shown)
      assert.deepEqual(
        missingItems(items, valueIn, ({ required }) => required),
        shown.filter(({ field_id, required }) => required && isEmpty(values[field_id - 1]))
      )
    })
  )
})
