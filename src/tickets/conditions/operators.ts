/** How the values of a field look, which decides how they can be compared. */
export type FieldKind = 'text' | 'number' | 'time' | 'select' | 'id' | 'ids' | 'tags' | 'checkbox' | 'custom'

/** What an operator takes: a value of the field or several, a day, a moment, a number of minutes, or nothing. */
type Takes = 'one' | 'many' | 'day' | 'moment' | 'minutes' | 'nothing'

const presence = { is_set: 'nothing', not_set: 'nothing' } as const
const several = { has_any: 'many', has_none: 'many', ...presence } as const
const choice = { is: 'one', is_not: 'one', in: 'many', not_in: 'many', ...presence } as const

/** The operators of each kind of field. */
export const operators = {
  text: { is: 'one', is_not: 'one', contains: 'one', ...presence },
  number: { is: 'one', is_not: 'one', less: 'one', greater: 'one', ...presence },
  time: { is: 'day', before: 'moment', after: 'moment', older_than: 'minutes', ...presence },
  select: choice,
  id: choice,
  ids: several,
  tags: several,
  checkbox: { is: 'one' },
  // Whatever the kind of the field has: `requireCustomFields` looks at that.
  custom: {
    ...choice,
    ...{ contains: 'one', less: 'one', greater: 'one', before: 'moment', after: 'moment', older_than: 'minutes' },
    ...{ has_any: 'many', has_none: 'many' }
  }
} as const satisfies Record<FieldKind, Readonly<Record<string, Takes>>>

type OperatorsOf<K> = K extends FieldKind ? keyof (typeof operators)[K] : never
export type Operator = OperatorsOf<FieldKind>

/** What the operator takes for fields of this kind; undefined if they do not have it. */
export function takes(kind: FieldKind, operator: string): Takes | undefined {
  const known: Readonly<Record<string, Takes>> = operators[kind]
  return Object.hasOwn(known, operator) ? known[operator] : undefined
}

export const allOperators = [...new Set(Object.values(operators).flatMap(each => Object.keys(each)))] as Operator[]
