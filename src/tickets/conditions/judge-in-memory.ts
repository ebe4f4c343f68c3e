import { dayOf, momentOf } from './moments.ts'
import type { Condition, Conditions, ConditionValue } from './schemas.ts'

export type Fact = string | number | boolean | Date | null | readonly (string | number)[]

/** What a ticket is like, by field; a field that is missing is not set. Tags by id, as stored conditions have them. */
export type Facts = Readonly<Record<string, Fact | undefined>>

/** A condition with what the ticket had instead, and whether it fitted. A time is ISO 8601. */
export interface JudgedCondition extends Condition {
  actual: Exclude<Fact, Date>
  fits: boolean
}

export interface Judgement {
  fits: boolean
  /** Every condition, group by group. */
  groups: JudgedCondition[][]
  /** Those that fitted. */
  fitted: JudgedCondition[]
  /** The first of the first group that failed, if one did. */
  failed: JudgedCondition | undefined
}

/** Judges a ticket by its facts, with the reasons. The same as `ticketsThatFit` says in SQL: a test compares the two. */
export function judge(conditions: Conditions, facts: Facts, now: Date): Judgement {
  const groups = conditions.all.map(({ any }) =>
    any.map(condition => {
      const actual = facts[condition.field] ?? null
      return {
        ...condition,
        actual: actual instanceof Date ? actual.toISOString() : actual,
        fits: fits(addressFields.has(condition.field) ? inLowerCase(condition) : condition, actual, now)
      }
    })
  )
  const failed = groups.find(group => !group.some(({ fits }) => fits))?.[0]
  return { fits: !failed, groups, fitted: groups.flat().filter(({ fits }) => fits), failed }
}

/** Whose facts are addresses in lower case: whoever wrote the condition may have written them otherwise. No query asks for them. */
const addressFields: ReadonlySet<string> = new Set(['event.sender', 'event.recipient'])

function inLowerCase({ value, ...condition }: Condition): Condition {
  return {
    ...condition,
    ...(value !== undefined && { value: typeof value === 'string' ? value.trim().toLowerCase() : value })
  }
}

/** The fields that conditions name: whatever else changes does not change the judgement. */
export function fieldsIn(conditions: Conditions): Set<string> {
  return new Set(conditions.all.flatMap(({ any }) => any.map(({ field }) => field)))
}

/** What is not set fits `is_not`, `not_in`, `has_none` and `not_set` alone. */
function fits({ op, value }: Condition, fact: Fact, now: Date): boolean {
  const isSet = fact !== null && !(Array.isArray(fact) && fact.length === 0)
  switch (op) {
    case 'is_set':
      return isSet
    case 'not_set':
      return !isSet
    case 'is_not':
      return !(isSet && isSame(fact, value))
    case 'not_in':
      return !(isSet && isAmong(fact, value))
    case 'has_none':
      return !(isSet && hasAny(fact, value))
    default:
      return isSet && fitsSet(op, fact, value, now)
  }
}

function fitsSet(
  op: Exclude<Condition['op'], 'is_set' | 'not_set' | 'is_not' | 'not_in' | 'has_none'>,
  fact: Fact,
  value: ConditionValue | undefined,
  now: Date
): boolean {
  switch (op) {
    case 'is':
      return isSame(fact, value)
    case 'in':
      return isAmong(fact, value)
    case 'has_any':
      return hasAny(fact, value)
    case 'contains':
      return lowerCase(String(fact)).includes(lowerCase(String(value)))
    case 'less':
      return Number(fact) < Number(value)
    case 'greater':
      return Number(fact) > Number(value)
    case 'before':
      return timeOf(fact) < momentOf(String(value))!.getTime()
    case 'after':
      return isAfter(fact, momentOf(String(value))!.getTime())
    case 'older_than':
      return timeOf(fact) < now.getTime() - Number(value) * 60_000
  }
}

function isSame(fact: Fact, value: ConditionValue | undefined): boolean {
  if (typeof fact === 'boolean') return fact === (value === true || value === 1)
  if (!(fact instanceof Date)) return fact === value
  const { from, to } = dayOf(String(value))!
  return fact >= from && fact < to
}

function isAmong(fact: Fact, values: ConditionValue | undefined): boolean {
  return Array.isArray(values) && values.some(value => value === fact)
}

function hasAny(fact: Fact, values: ConditionValue | undefined): boolean {
  return Array.isArray(fact) && fact.some(each => isAmong(each, values))
}

/** A time is after the moment at which something begins; a day is not after itself. */
function isAfter(fact: Fact, moment: number): boolean {
  return fact instanceof Date ? fact.getTime() >= moment : timeOf(fact) > moment
}

function timeOf(fact: Fact): number {
  // A custom date is a day, which begins at midnight.
  return fact instanceof Date ? fact.getTime() : Date.parse(`${fact}T00:00:00Z`)
}

/** Letter by letter, as the database does it. */
function lowerCase(text: string): string {
  return Array.from(text, letter => letter.toLowerCase()).join('')
}
