import type { DataOf } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { dateOf, numberText } from '../../lib/times.ts'

export type FieldKind = DataOf<'/api/admin/fields/list'>['fields'][number]['kind']

/** A custom field as it is asked for and shown. */
export interface CustomField {
  key: string
  label: string
  kind: FieldKind
  options: readonly { id: number; label: string; is_archived?: 0 | 1 }[]
  hint: string
}

/** A date is a text, an option its id. */
export type FieldValue = string | number | boolean | number[]

/** A value in words: "11 Apr 2024", "Yes", "Cable, Fuse". */
export function fieldValueText({ kind, options }: Pick<CustomField, 'kind' | 'options'>, value: FieldValue): string {
  const optionText = (id: unknown) => options.find(option => option.id === id)?.label ?? String(id)
  switch (kind) {
    case 'number':
      return typeof value === 'number' ? numberText(value) : String(value)
    case 'date':
      return dateOf(new Date(`${value}T12:00:00`))
    case 'checkbox':
      return t(value ? 'ui.yes' : 'ui.no')
    case 'select':
      return optionText(value)
    case 'multi_select':
      return Array.isArray(value) ? value.map(optionText).join(', ') : optionText(value)
    default:
      return String(value)
  }
}

/** A typed number as the service takes it: `12,5` is 12.5. */
export function typedNumber(typed: string): string {
  return typed.trim().replace(/\s/g, '').replace(',', '.')
}

/** What can be chosen: archived options only where they are set. */
export function optionsToChoose({ options }: Pick<CustomField, 'options'>, value: unknown) {
  const set: readonly unknown[] = Array.isArray(value) ? value : [value]
  return options.filter(({ id, is_archived }) => !is_archived || set.includes(id))
}
