import type { DataOf } from '@deskline/client'
import { AlignLeft, Calendar, Hash, List, ListChecks, SquareCheck, Type } from 'lucide-react'
import type { FieldKind } from '../../../app/custom-fields/custom-field.ts'
import { type Key, t } from '../../../lib/strings.ts'
import type { Icon } from '../../../ui/icon.tsx'

export const fieldsPath = '/api/admin/fields/list'
export const maxOptions = 200
export const maxFields = 100
export const maxFilterable = 20

export type Field = DataOf<typeof fieldsPath>['fields'][number]
export type FieldUse = DataOf<'/api/admin/fields/uses'>['uses'][number]

interface Kind {
  icon: Icon
  label: Key
  example: Key
}

/** The kinds of fields, in the order in which they are offered. */
export const kinds = {
  text: { icon: Type, label: 'fields-admin.kind.text', example: 'fields-admin.example.text' },
  long_text: { icon: AlignLeft, label: 'fields-admin.kind.long_text', example: 'fields-admin.example.long_text' },
  number: { icon: Hash, label: 'fields-admin.kind.number', example: 'fields-admin.example.number' },
  date: { icon: Calendar, label: 'fields-admin.kind.date', example: 'fields-admin.example.date' },
  checkbox: { icon: SquareCheck, label: 'fields-admin.kind.checkbox', example: 'fields-admin.example.checkbox' },
  select: { icon: List, label: 'fields-admin.kind.select', example: 'fields-admin.example.list' },
  multi_select: { icon: ListChecks, label: 'fields-admin.kind.multi_select', example: 'fields-admin.example.list' }
} as const satisfies Record<FieldKind, Kind>

export const accesses = ['write', 'read', 'none'] as const satisfies Field['client_access'][]
export const requirements = ['never', 'open', 'close'] as const satisfies Field['required_on'][]

/** Whether a field of this kind is a choice from a list. */
export function hasOptions(kind: FieldKind): boolean {
  return kind === 'select' || kind === 'multi_select'
}

/** "Text", "One of 14" */
export function kindText({ kind, options }: Pick<Field, 'kind' | 'options'>): string {
  if (!hasOptions(kind)) return t(kinds[kind].label)
  const count = options.filter(({ is_archived }) => !is_archived).length
  return t(kind === 'select' ? 'fields-admin.oneOf' : 'fields-admin.someOf', { count })
}

/** A key made from a name: "Serial no." is `serial_no`. */
export function keyFrom(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[äöü]/g, letter => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 50)
}

/** The definitions that use a field, each once. */
export function usingDefinitions(uses: readonly FieldUse[]): FieldUse[] {
  return [...new Map(uses.map(use => [`${use.kind} ${use.id}`, use])).values()]
}

/** "3 rules, 2 views" */
export function usesText(uses: readonly FieldUse[]): string {
  const counts = Map.groupBy(usingDefinitions(uses), ({ kind }) => kind)
  return [...counts].map(([kind, { length: count }]) => t(`fields-admin.uses.${kind}`, { count })).join(', ')
}
