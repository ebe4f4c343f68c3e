import type { TSchema } from 'typebox'
import { IsoTime } from './schemas.ts'

type Schema = TSchema & {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  'x-timestamp'?: boolean
}

const suffix = '_iso'

/**
 * Adds to a response schema an ISO 8601 time for each timestamp of the contract: `created_at_iso` for `created_at`. Every
 * language parses that format, and none parses the contract's as UTC by default.
 */
export function withIsoTimes<S extends TSchema>(schema: S): S {
  return extended(schema) as S
}

function extended(schema: Schema): TSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(extended) }
  if (schema.items) return { ...schema, items: extended(schema.items) }
  if (!schema.properties) return schema
  const properties: Record<string, TSchema> = {}
  const required = new Set(schema.required)
  for (const [name, each] of Object.entries(schema.properties)) {
    properties[name] = extended(each)
    if (!each['x-timestamp']) continue
    properties[name + suffix] = { ...IsoTime(), type: each.type }
    if (required.has(name)) required.add(name + suffix)
  }
  return { ...schema, properties, ...(schema.required ? { required: [...required] } : {}) }
}

/** The contract's timestamp in ISO 8601. */
function isoTimeOf(time: string): string {
  return `${time.slice(0, 10)}T${time.slice(11)}Z`
}

type AddTimes = (value: Record<string, unknown>) => void

/** Writes those times into a response of this schema. Undefined if the schema has no timestamp. */
export function isoTimesInto(schema: TSchema): AddTimes | undefined {
  return adderFor(schema as Schema)
}

function adderFor(schema: Schema): AddTimes | undefined {
  const steps = stepsOf(schema)
  if (steps.length === 0) return undefined
  const [only] = steps
  if (steps.length === 1) return only
  return value => {
    for (const step of steps) step(value)
  }
}

function stepsOf({ anyOf, properties }: Schema): AddTimes[] {
  const ofChoices = (anyOf ?? []).map(adderFor).filter(adder => adder !== undefined)
  return [...ofChoices, ...Object.entries(properties ?? {}).flatMap(([name, each]) => stepFor(name, each) ?? [])]
}

function stepFor(name: string, schema: Schema): AddTimes | undefined {
  if (schema['x-timestamp']) {
    const isoName = name + suffix
    return value => {
      const time = value[name]
      if (time === null) value[isoName] = null
      else if (typeof time === 'string') value[isoName] = isoTimeOf(time)
    }
  }
  const add = adderFor(schema.items ?? schema)
  if (!add) return undefined
  if (!schema.items) {
    return value => {
      const inner = value[name] as Record<string, unknown> | null | undefined
      if (inner) add(inner)
    }
  }
  return value => {
    const list = value[name] as Record<string, unknown>[] | null | undefined
    if (list) for (const each of list) add(each)
  }
}
