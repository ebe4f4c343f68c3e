import type { DataOf } from '@deskline/client'
import { type Key, t } from '../../../lib/strings.ts'

/** One condition of the service's language. */
export interface Condition {
  field: string
  op: string
  value?: string | number | boolean | readonly (string | number)[] | undefined
}

/** Every group must fit; a group fits if one of its conditions does. Without groups every ticket fits. */
export interface Conditions {
  all: { any: Condition[] }[]
}

/** Conditions on tickets alone, of a rule that follows events, which may also name what the event was, or on e-mails that arrive. */
export type Scope = 'tickets' | 'events' | 'mails'

type FieldKind = 'text' | 'number' | 'time' | 'date' | 'select' | 'id' | 'ids' | 'tags' | 'checkbox'

/** A field that conditions name. */
export interface ConditionField {
  name: string
  kind: FieldKind
  label: string
}

export type CustomField = DataOf<'/api/admin/fields/list'>['fields'][number]

/** The fields that every ticket has. */
const ofTickets = {
  department_id: { kind: 'id', label: 'definition.field.department_id' },
  priority: { kind: 'select', label: 'definition.field.priority' },
  status: { kind: 'select', label: 'definition.field.status' },
  tags: { kind: 'tags', label: 'definition.field.tags' },
  channel: { kind: 'select', label: 'definition.field.channel' },
  assigned_staff_id: { kind: 'id', label: 'definition.field.assigned_staff_id' },
  organisation_id: { kind: 'id', label: 'definition.field.organisation_id' },
  client_id: { kind: 'id', label: 'definition.field.client_id' },
  subject: { kind: 'text', label: 'definition.field.subject' },
  created_at: { kind: 'time', label: 'definition.field.created_at' },
  updated_at: { kind: 'time', label: 'definition.field.updated_at' }
} as const satisfies Record<string, { kind: FieldKind; label: Key }>

const ofEvents = {
  'event.actor': { kind: 'select', label: 'definition.field.event.actor' },
  'event.kind': { kind: 'select', label: 'definition.field.event.kind' },
  'event.channel': { kind: 'select', label: 'definition.field.event.channel' },
  'event.message': { kind: 'text', label: 'definition.field.event.message' },
  'event.message_words': { kind: 'number', label: 'definition.field.event.message_words' },
  'event.status_days': { kind: 'number', label: 'definition.field.event.status_days' },
  'event.open_calendars': { kind: 'ids', label: 'definition.field.event.open_calendars' }
} as const satisfies Record<string, { kind: FieldKind; label: Key }>

const ofMails = {
  'event.sender': { kind: 'text', label: 'definition.field.event.sender' },
  'event.recipient': { kind: 'text', label: 'definition.field.event.recipient' },
  'event.subject': { kind: 'text', label: 'definition.field.event.subject' },
  'event.size': { kind: 'number', label: 'definition.field.event.size' },
  'event.verdict': { kind: 'select', label: 'definition.field.event.verdict' },
  'event.spam_score': { kind: 'number', label: 'definition.field.event.spam_score' }
} as const satisfies Record<string, { kind: FieldKind; label: Key }>

/** Headers that are often asked for; any other may stand in a rule that came by the API. */
const headers = ['x-spam-flag', 'list-id', 'reply-to', 'x-mailer', 'auto-submitted', 'precedence']

/** The fields of tickets that events tell before and after. */
const told = ['status', 'priority', 'department_id', 'assigned_staff_id', 'tags', 'subject']

const ofCustom: Record<CustomField['kind'], FieldKind> = {
  text: 'text',
  long_text: 'text',
  number: 'number',
  date: 'date',
  checkbox: 'checkbox',
  select: 'id',
  multi_select: 'tags'
}

/** The field of this name, if there is one: `priority`, `f12`, `event.before.priority`. */
export function fieldNamed(name: string, custom: readonly CustomField[] = []): ConditionField | undefined {
  const [, at, inner] = /^event\.(before|after)\.(\w+)$/.exec(name) ?? []
  if (inner) {
    const field = fieldNamed(inner, custom)
    const label = at === 'before' ? 'definition.fieldBefore' : 'definition.fieldAfter'
    return field && { ...field, name, label: t(label, { field: field.label }) }
  }
  const own: Record<string, { kind: FieldKind; label: Key }> = { ...ofTickets, ...ofEvents, ...ofMails }
  const fixed = Object.hasOwn(own, name) ? own[name] : undefined
  if (fixed) return { name, kind: fixed.kind, label: t(fixed.label) }
  const [, header] = /^event\.headers\.(.+)$/.exec(name) ?? []
  if (header) return { name, kind: 'text', label: t('definition.field.event.header', { name: header }) }
  const field = customOf(name, custom)
  return field && { name, kind: ofCustom[field.kind], label: field.label }
}

/** The custom field that a condition names, also as an event told it. */
export function customOf(name: string, custom: readonly CustomField[]): CustomField | undefined {
  const [, id] = /^(?:event\.(?:before|after)\.)?f(\d+)$/.exec(name) ?? []
  return custom.find(field => field.id === Number(id))
}

/** What can be chosen: archived fields no longer. */
export function fieldsToChoose(scope: Scope, custom: readonly CustomField[]): ConditionField[] {
  if (scope === 'mails')
    return [...Object.keys(ofMails), ...headers.map(name => `event.headers.${name}`)].map(name => fieldNamed(name)!)
  const own = custom.filter(({ is_archived }) => !is_archived).map(({ id }) => `f${id}`)
  const ofEvent = [
    ...Object.keys(ofEvents),
    ...(['before', 'after'] as const).flatMap(at => [...told, ...own].map(name => `event.${at}.${name}`))
  ]
  const names = [...Object.keys(ofTickets), ...own, ...(scope === 'events' ? ofEvent : [])]
  return names.map(name => fieldNamed(name, custom)!)
}

/** What an operator compares with. */
export type Takes = 'one' | 'number' | 'many' | 'day' | 'minutes' | 'yes or no' | 'nothing'

const presence = { is_set: 'nothing', not_set: 'nothing' } as const
const time = { older_than: 'minutes', before: 'day', after: 'day', is: 'day' } as const
const several = { has_any: 'many', has_none: 'many', ...presence } as const
/** One value is a list of one, so that there is a single form of "is" for what can be chosen. */
const operators: Record<FieldKind, Partial<Record<OperatorName, Takes>>> = {
  text: { contains: 'one', is: 'one', is_not: 'one', ...presence },
  number: { is: 'number', is_not: 'number', less: 'number', greater: 'number', ...presence },
  time,
  date: { ...time, ...presence },
  select: { in: 'many', not_in: 'many' },
  id: { in: 'many', not_in: 'many', ...presence },
  ids: several,
  tags: several,
  checkbox: { is: 'yes or no' }
}

const operatorNames = {
  in: 'definition.op.in',
  not_in: 'definition.op.not_in',
  is: 'definition.op.is',
  is_not: 'definition.op.is_not',
  contains: 'definition.op.contains',
  less: 'definition.op.less',
  greater: 'definition.op.greater',
  has_any: 'definition.op.has_any',
  has_none: 'definition.op.has_none',
  before: 'definition.op.before',
  after: 'definition.op.after',
  older_than: 'definition.op.older_than',
  is_set: 'definition.op.is_set',
  not_set: 'definition.op.not_set'
} as const satisfies Record<string, Key>

export type OperatorName = keyof typeof operatorNames

export function operatorText({ op }: Condition): string {
  return Object.hasOwn(operatorNames, op) ? t(operatorNames[op as OperatorName]) : op
}

export function operatorsOf({ kind }: ConditionField): OperatorName[] {
  return Object.keys(operators[kind]) as OperatorName[]
}

export function takesOf({ kind }: ConditionField, op: string): Takes | undefined {
  return operators[kind][op as OperatorName]
}

/** A new condition on this field, with nothing chosen yet. */
export function newCondition(field: ConditionField): Condition {
  return withOperator(field, { field: field.name, op: '' }, operatorsOf(field)[0]!)
}

/** The same with another operator; what was chosen stays where it still means something. */
export function withOperator(of: ConditionField, { field, op, value }: Condition, next: OperatorName): Condition {
  const takes = takesOf(of, next)
  if (takes === 'nothing') return { field, op: next }
  if (takes === 'many') return { field, op: next, value: Array.isArray(value) ? value : [] }
  return { field, op: next, value: takes === takesOf(of, op) ? value : undefined }
}

/** As it is edited here: one value that can be chosen is a list of one. */
export function editable(conditions: Conditions): Conditions {
  return {
    all: conditions.all.map(({ any }) => ({
      any: any.map(condition => {
        const { field, op, value } = condition
        const kind = fieldNamed(field)?.kind
        if ((kind !== 'id' && kind !== 'select') || (typeof value !== 'string' && typeof value !== 'number'))
          return condition
        if (op === 'is') return { field, op: 'in', value: [value] }
        return op === 'is_not' ? { field, op: 'not_in', value: [value] } : condition
      })
    }))
  }
}

/** Whether something is left to choose. */
export function isUnfinished({ op, value }: Condition): boolean {
  if (op === 'is_set' || op === 'not_set') return false
  return Array.isArray(value) ? value.length === 0 : value === undefined || value === ''
}
