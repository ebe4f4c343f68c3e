import { maxId } from '../../kit/schemas.ts'
import { type EventField, eventFieldNamed } from './event-fields.ts'
import { fieldNamed } from './fields.ts'
import { dayOf, momentOf } from './moments.ts'
import { operators, takes } from './operators.ts'

/** Where conditions are used: anywhere, in lists and their views, or in rules about events; the last two know more fields. */
export type Scope = 'tickets' | 'lists' | 'events'

/** The whole tree has at most so many conditions. */
export const maxConditions = 20
/** The most values in a list. */
const maxValues = 100
const maxText = 255
const maxMinutes = 5_256_000

/** What is wrong, and where in the value: `.all.0.any.1.op`. */
export interface Fault {
  at: string
  fault: string
}

/** What is wrong with conditions as they were sent; empty if nothing. */
export function conditionFaults(given: unknown, scope: Scope): Fault[] {
  if (!isObject(given)) return [{ at: '', fault: 'must be an object' }]
  const [unknown] = Object.keys(given).filter(name => name !== 'all')
  if (unknown !== undefined) return [notKnown('', unknown)]
  if (!Array.isArray(given.all)) return [{ at: '.all', fault: 'must be a list of groups' }]
  const groups: unknown[] = given.all
  const count = groups.reduce<number>(
    (sum, group) => sum + (isObject(group) && Array.isArray(group.any) ? group.any.length : 1),
    0
  )
  if (Math.max(count, groups.length) > maxConditions)
    return [{ at: '.all', fault: `must have at most ${maxConditions} conditions` }]
  return groups.flatMap((group, at) => groupFaults(group, `.all.${at}`, scope))
}

function groupFaults(group: unknown, at: string, scope: Scope): Fault[] {
  if (!isObject(group)) return [{ at, fault: 'must be an object with `any`' }]
  const [unknown] = Object.keys(group).filter(name => name !== 'any')
  if (unknown !== undefined) return [notKnown(at, unknown)]
  if (!Array.isArray(group.any) || group.any.length === 0) {
    return [{ at: `${at}.any`, fault: 'must be a list of at least one condition' }]
  }
  return group.any.flatMap((condition, place) => oneFault(condition, `${at}.any.${place}`, scope) ?? [])
}

function oneFault(condition: unknown, at: string, scope: Scope): Fault | undefined {
  if (!isObject(condition)) return { at, fault: 'must be an object with `field` and `op`' }
  const { field: name, op, value, ...others } = condition
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return notKnown(at, unknown)
  const field = typeof name === 'string' ? fieldIn(scope, name) : undefined
  if (!field) return { at: `${at}.field`, fault: `is not a field of tickets${scope === 'events' ? ' or events' : ''}` }
  if (typeof op !== 'string' || takes(field.kind, op) === undefined) {
    return { at: `${at}.op`, fault: `must be one of: ${Object.keys(operators[field.kind]).join(', ')}` }
  }
  const fault = valueFault(field, op, value)
  return fault === undefined ? undefined : { at: `${at}.value`, fault }
}

function fieldIn(scope: Scope, name: string): EventField | undefined {
  const field = fieldNamed(name)
  if (field) return field.isOfLists && scope !== 'lists' ? undefined : field
  return scope === 'events' ? eventFieldNamed(name) : undefined
}

/** Why this value is none for this operator. */
export function valueFault(field: EventField, op: string, value: unknown): string | undefined {
  switch (takes(field.kind, op)) {
    case 'nothing':
      return value === undefined || value === null ? undefined : `is not taken by ${op}`
    case 'many':
      if (!Array.isArray(value)) return `must be a list of ${oneText(field)}`
      if (value.length > maxValues) return `must have at most ${maxValues} entries`
      return value.every(each => isValue(field, each)) ? undefined : `must be a list of ${oneText(field)}`
    case 'day':
      return typeof value === 'string' && dayOf(value) ? undefined : 'must be a day, written YYYY-MM-DD'
    case 'moment':
      return typeof value === 'string' && momentOf(value) ? undefined : 'must be a time, such as 2026-03-10T09:00:00Z'
    case 'minutes':
      return isWhole(value, maxMinutes) ? undefined : `must be a number of minutes from 1 to ${maxMinutes}`
    default:
      return isValue(field, value) ? undefined : `must be ${oneText(field).replace(/s$/, '')}`
  }
}

/** The values of a field, in words. */
function oneText({ kind, options }: EventField): string {
  if (options) return `these values: ${options.join(', ')}`
  return {
    text: 'texts',
    number: 'numbers',
    time: 'times',
    select: 'texts',
    id: 'ids',
    ids: 'ids',
    tags: 'names of tags',
    checkbox: '0 or 1',
    custom: 'values of the field'
  }[kind]
}

function isValue({ kind, options }: EventField, value: unknown): boolean {
  switch (kind) {
    case 'select':
      return options?.some(option => option === value) ?? false
    case 'id':
    case 'ids':
      return isWhole(value, maxId)
    case 'tags':
      return isText(value, 50) || isWhole(value, maxId)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'custom':
      return (
        isText(value, maxText) || (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean'
      )
    case 'checkbox':
      return value === 0 || value === 1 || typeof value === 'boolean'
    default:
      return isText(value, maxText)
  }
}

/** What PostgreSQL can store and JSON readers can read. */
function isText(value: unknown, max: number): boolean {
  if (typeof value !== 'string') return false
  return value.trim() !== '' && value.length <= max && !value.includes('\0') && value.isWellFormed()
}

function isWhole(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notKnown(at: string, name: string): Fault {
  return { at: `${at}.${name.toWellFormed().slice(0, 100)}`, fault: 'is not known here' }
}
