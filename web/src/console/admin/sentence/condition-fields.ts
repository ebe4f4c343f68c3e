import type { Key } from '../../../lib/strings.ts'

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

type FieldKind = 'text' | 'time' | 'select' | 'id' | 'tags'

/** The fields of tickets that can be chosen here, with the kind of their values. */
export const conditionFields = {
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

export type ConditionFieldName = keyof typeof conditionFields

export function isConditionField(field: string): field is ConditionFieldName {
  return Object.hasOwn(conditionFields, field)
}

/** What an operator compares with. */
export type Takes = 'one' | 'many' | 'day' | 'minutes' | 'nothing'

const presence = { is_set: 'nothing', not_set: 'nothing' } as const
const choice = { in: 'many', not_in: 'many', ...presence } as const
/** One value is a list of one, so that there is a single form of "is" for what can be chosen. */
const operators: Record<FieldKind, Partial<Record<OperatorName, Takes>>> = {
  text: { contains: 'one', is: 'one', is_not: 'one', ...presence },
  time: { older_than: 'minutes', before: 'day', after: 'day', is: 'day' },
  select: { in: 'many', not_in: 'many' },
  id: choice,
  tags: { has_any: 'many', has_none: 'many', ...presence }
}

const operatorNames = {
  in: 'definition.op.in',
  not_in: 'definition.op.not_in',
  is: 'definition.op.is',
  is_not: 'definition.op.is_not',
  contains: 'definition.op.contains',
  has_any: 'definition.op.has_any',
  has_none: 'definition.op.has_none',
  before: 'definition.op.before',
  after: 'definition.op.after',
  older_than: 'definition.op.older_than',
  is_set: 'definition.op.is_set',
  not_set: 'definition.op.not_set'
} as const satisfies Record<string, Key>

export type OperatorName = keyof typeof operatorNames

export function operatorLabel(op: string): Key | undefined {
  return Object.hasOwn(operatorNames, op) ? operatorNames[op as OperatorName] : undefined
}

export function operatorsOf(field: ConditionFieldName): OperatorName[] {
  return Object.keys(operators[conditionFields[field].kind]) as OperatorName[]
}

export function takesOf(field: ConditionFieldName, op: string): Takes | undefined {
  return operators[conditionFields[field].kind][op as OperatorName]
}

/** A new condition on this field, with nothing chosen yet. */
export function newCondition(field: ConditionFieldName): Condition {
  return withOperator({ field, op: '' }, operatorsOf(field)[0]!)
}

/** The same with another operator; what was chosen stays where it still means something. */
export function withOperator({ field, op, value }: Condition, next: OperatorName): Condition {
  if (!isConditionField(field)) return { field, op, value }
  const takes = takesOf(field, next)
  if (takes === 'nothing') return { field, op: next }
  if (takes === 'many') return { field, op: next, value: Array.isArray(value) ? value : [] }
  return { field, op: next, value: takes === takesOf(field, op) ? value : undefined }
}

/** As it is edited here: one value that can be chosen is a list of one. */
export function editable(conditions: Conditions): Conditions {
  return {
    all: conditions.all.map(({ any }) => ({
      any: any.map(condition => {
        const { field, op, value } = condition
        if (!isConditionField(field) || typeof value === 'object' || value === undefined) return condition
        const kind = conditionFields[field].kind
        if ((kind !== 'id' && kind !== 'select') || typeof value === 'boolean') return condition
        if (op === 'is') return { field, op: 'in', value: [value] }
        return op === 'is_not' ? { field, op: 'not_in', value: [value] } : condition
      })
    }))
  }
}

/** Whether something is left to choose. */
export function isUnfinished({ field, op, value }: Condition): boolean {
  if (!isConditionField(field)) return false
  const takes = takesOf(field, op)
  if (takes === 'nothing' || takes === undefined) return false
  if (takes === 'many') return !Array.isArray(value) || value.length === 0
  return value === undefined || value === ''
}
