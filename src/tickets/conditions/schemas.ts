import { Type } from 'typebox'
import { conditionFaults, maxConditions, type Scope } from './condition-faults.ts'
import { type EventField, eventFields } from './event-fields.ts'
import { type ConditionField, fields } from './fields.ts'
import { allOperators, type Operator, operators } from './operators.ts'

/** Text, a number, a flag, or several texts or numbers. */
export type ConditionValue = string | number | boolean | readonly (string | number)[]

export interface Condition {
  field: string
  op: Operator
  /** Missing for `is_set` and `not_set` alone. */
  value?: ConditionValue
}

/** All groups must fit; a group fits if any of its conditions does. No group fits every ticket. */
export interface Conditions {
  all: { any: Condition[] }[]
}

/** Which tickets are meant, by their fields; what `conditionFaults` lets through. */
export const Conditions = conditionsOf('tickets')

/** The same in lists and saved views, where a condition may also name what only a list knows. */
export const ListConditions = conditionsOf('lists')

/** The same in rules about events, where a condition may also name what the event was. */
export const EventConditions = conditionsOf('events')

function conditionsOf(scope: Scope) {
  const ofTickets = Object.entries(fields).filter(
    ([, field]: [string, ConditionField]) => scope === 'lists' || !field.isOfLists
  )
  const known: readonly Named[] = scope === 'events' ? [...ofTickets, ...eventFields] : ofTickets
  const Condition = Type.Object({
    field: Type.String({
      description: `${known.map(fieldText).join('; ')}; \`f12\`: the custom field with this id.`,
      examples: ['status']
    }),
    op: Type.Unsafe<Operator>({
      type: 'string',
      enum: allOperators,
      description: `${Object.entries(operators)
        .flatMap(([kind, ofKind]) => operatorsText(namesOf(kind, known), Object.keys(ofKind)))
        .join('; ')}.`,
      examples: ['in']
    }),
    value: Type.Optional(
      Type.Unsafe<ConditionValue>({
        type: ['array', 'string', 'number', 'boolean'],
        items: { type: ['string', 'number'] },
        description:
          'A list for `in`, `not_in`, `has_any` and `has_none`; nothing for `is_set` and `not_set`. A day (`YYYY-MM-DD`) or a time, UTC or with an offset; for `older_than` minutes.',
        examples: [['Open', 'In Progress']]
      })
    )
  })
  const Group = Type.Object({ any: Type.Array(Condition, { minItems: 1, maxItems: maxConditions }) })
  const { properties, required } = Type.Object({ all: Type.Array(Group) })
  return Type.Unsafe<Conditions>({
    type: 'object',
    properties,
    required,
    description: `Every group (\`all\`) needs a condition that fits (\`any\`); at most ${maxConditions} conditions. What is not set is never equal, contained or earlier, and fits \`is_not\`, \`not_in\` and \`has_none\`.`,
    examples: [{ all: [{ any: [{ field: 'status', op: 'in', value: ['Open', 'In Progress'] }] }] }],
    'x-check': (value: unknown) => conditionFaults(value, scope)
  })
}

type Named = readonly [string, EventField]

function namesOf(kind: string, known: readonly Named[]): string[] {
  return known.flatMap(([name, field]) => (field.kind === kind ? [`\`${name}\``] : []))
}

function operatorsText(names: readonly string[], operators: readonly string[]): string[] {
  return names.length > 0 ? [`${names.join(', ')}: ${operators.join(', ')}`] : []
}

function fieldText([name, { label, options }]: Named): string {
  return `\`${name}\`: ${label}${options ? ` (${options.join(', ')})` : ''}`
}
