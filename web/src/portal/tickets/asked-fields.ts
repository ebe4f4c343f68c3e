import type { BodyOf, DataOf } from '@deskline/client'
import { missingItems, shownItems } from '../../../../src/tickets/forms/judge-form.ts'

export type AskedForm = NonNullable<DataOf<'/api/ticket-forms'>['form']>
export type AskedItem = AskedForm['items'][number]
type SentFields = NonNullable<BodyOf<'/api/tickets/create'>['fields']>

/** What is typed in each field of a form, by `nameOf`: of several options their ids with commas, of a checkbox `1` or `0`. */
export type TypedFields = Record<FieldName, string>
export type FieldName = `fields.${string}`

/** The name of a field in a form, which is that of the API's refusals. */
export function nameOf({ field }: AskedItem): FieldName {
  return `fields.${field.key}`
}

/** Where nothing is asked, or it is not known yet. */
export const noQuestions: AskedForm = { items: [] }

/** What was typed in the fields of this form, among all that a draft holds: it is kept where another department asks the same. */
export function typedIn({ items }: AskedForm, draft: Readonly<Record<string, string>>): TypedFields {
  return Object.fromEntries(items.map(item => [nameOf(item), draft[nameOf(item)] ?? '']))
}

/** The items that are shown with these answers, judged as the service judges them. */
export function shownOf(form: AskedForm, typed: TypedFields): AskedItem[] {
  const shown = new Set(shownItems(form.items.map(withId), valuesIn(form, typed)).map(({ field_id }) => field_id))
  return form.items.filter(({ field }) => shown.has(field.id))
}

/** What is wrong with each of the fields that are shown: the key of its text. */
export function faultsOf(form: AskedForm, typed: TypedFields): Map<FieldName, Fault> {
  const missing = missingItems(form.items.map(withId), valuesIn(form, typed), ({ required }) => required === 1)
  const unfit = shownOf(form, typed).filter(
    item => item.field.kind === 'number' && !isNumber(typed[nameOf(item)] ?? '')
  )
  return new Map<FieldName, Fault>([
    ...unfit.map(item => [nameOf(item), 'portal-ticket.noNumber'] as const),
    ...missing.map(item => [nameOf(item), 'ui.fieldMissing'] as const)
  ])
}

export type Fault = 'portal-ticket.noNumber' | 'ui.fieldMissing'

/** The answers of the fields that are shown, as they are sent. */
export function answersOf(form: AskedForm, typed: TypedFields): SentFields {
  const valueIn = valuesIn(form, typed)
  return Object.fromEntries(
    shownOf(form, typed).flatMap(({ field: { id, key } }) => {
      const value = valueIn(id)
      return value === undefined ? [] : [[key, value]]
    })
  )
}

function withId(item: AskedItem) {
  return { ...item, field_id: item.field.id }
}

function valuesIn({ items }: AskedForm, typed: TypedFields) {
  const values = new Map(items.map(item => [item.field.id, readAs(item.field, typed[nameOf(item)] ?? '')]))
  return (id: number) => values.get(id)
}

/** An option that a draft still has, and that is offered no more, is no answer. */
function readAs({ kind, options }: AskedItem['field'], typed: string) {
  if (typed.trim() === '') return undefined
  const ids = typed.split(',').map(Number)
  const offered = ids.filter(id => options.some(option => option.id === id))
  switch (kind) {
    case 'checkbox':
      return typed === '1'
    case 'select':
      return offered[0]
    case 'multi_select':
      return offered.length > 0 ? offered : undefined
    case 'number':
      return typed.trim().replace(',', '.')
    default:
      return typed
  }
}

/** As the service takes them, with a comma or a point. */
function isNumber(typed: string): boolean {
  return typed.trim() === '' || /^\s*-?\d{1,14}([.,]\d{1,4})?\s*$/.test(typed)
}
