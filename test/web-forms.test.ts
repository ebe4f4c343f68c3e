import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../src/kit/errors.ts'
import { valuesForForm } from '../src/tickets/forms/required-fields.ts'
import { answersOf, faultsOf, shownOf, typedIn } from '../web/src/portal/tickets/asked-fields.ts'
import { bootDesk } from './support/desk.ts'
import { aField } from './support/fields.ts'
import { aForm } from './support/forms.ts'
import { anAdmin } from './support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const options = ['One', 'Two', 'Three'].map(label => ({ label }))
const field = (key: string, kind: string, given: object = {}) =>
  aField(desk, admin, { key, kind, client_access: 'write', ...given })
const fields = [
  await field('product', 'select', { options }),
  await field('modules', 'multi_select', { options }),
  await field('is_new', 'checkbox'),
  await field('serial', 'text'),
  await field('story', 'long_text'),
  await field('weight', 'number'),
  await field('bought_on', 'date')
]
/** By which fields others can be shown: those with options, and the checkbox. */
const controls = 3
const form = await aForm(desk, admin, { is_default: 1 })
await desk.post('/api/admin/settings/update', admin, { tickets_without_account: 1 })

/** What people type in each field, as a draft of the portal keeps it. */
const typedValues: Record<string, string[]> = {
  product: ['', '1', '2', '3'],
  modules: ['', '1', '2,3', '1,2,3'],
  is_new: ['', '0', '1'],
  serial: ['', '  ', 'SN-1'],
  story: ['', '\n', 'Once\nupon a time'],
  weight: ['', '12,5', '-3', '1.23456', 'heavy'],
  bought_on: ['', '2026-03-01']
}

const forms = fc.shuffledSubarray(fields.map((_, at) => at)).chain(order =>
  fc.tuple(
    ...order.map((at, place) => {
      const earlier = order.slice(0, place).filter(other => other < controls)
      return fc.record({
        field_id: fc.constant(fields[at]!.id),
        required: fc.constantFrom<0 | 1>(0, 1),
        show_if: earlier.length === 0 ? fc.constant(null) : fc.option(conditionOn(earlier))
      })
    })
  )
)

function conditionOn(earlier: readonly number[]) {
  return fc.constantFrom(...earlier).chain(at =>
    fc.record({
      field_id: fc.constant(fields[at]!.id),
      in: fc.uniqueArray(at === 2 ? fc.nat(1) : fc.integer({ min: 1, max: 3 }), { minLength: 1 })
    })
  )
}

const drafts = fc.record(
  Object.fromEntries(Object.entries(typedValues).map(([key, values]) => [`fields.${key}`, fc.constantFrom(...values)]))
)

test('F2, F3 the portal and the service judge alike, on random forms and values', async () => {
  await fc.assert(
    fc.asyncProperty(forms, drafts, async (items, draft) => {
      const saved = await desk.post('/api/admin/ticket-forms/update', admin, { id: form.id, items })
      assert.equal(saved.status, 200, saved.body.message)
      const { form: asked } = (await desk.post('/api/ticket-forms', undefined, { deptid: 1 })).data
      const typed = typedIn(asked, draft)
      const hidden = Object.fromEntries(items.map(({ field_id }) => [keyOf(field_id), 'kept, and not sent']))

      const [faults, answers] = [[...faultsOf(asked, typed).keys()], answersOf(asked, typed)]
      const shown = shownOf(asked, typed).map(({ field }) => field.key)
      // What the portal hides is hidden by the service too: its values are not even read.
      const judged = await judgement({ ...hidden, ...Object.fromEntries(shown.map(key => [key, null])), ...answers })

      if (faults.length === 0)
        assert.deepEqual(judged, { ...Object.fromEntries(shown.map(key => [key, null])), ...answers })
      else {
        assert.ok(Array.isArray(judged), JSON.stringify(judged))
        // Wrong values are told before missing ones.
        assert.ok(
          judged.every(name => faults.includes(name)),
          `${judged} of ${faults}`
        )
      }
    }),
    { numRuns: 60 }
  )
})

/** What the service would store, or the fields that it refuses. */
async function judgement(given: object): Promise<object | string[]> {
  try {
    return await valuesForForm(desk.db, 1, given as Record<string, unknown>)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return [...error.errors!]
  }
}

function keyOf(id: number): string {
  return fields.find(field => field.id === id)!.key
}
