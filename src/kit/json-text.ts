import buildSerializer from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { isoTimesInto, withIsoTimes } from './iso-times.ts'

/** Serializes a response: only the fields of the schema, with an ISO 8601 time for each timestamp. */
export function jsonText<T extends object>(schema: TSchema): (value: T) => string {
  const write = buildSerializer(withIsoTimes(schema) as Parameters<typeof buildSerializer>[0])
  const addTimes = isoTimesInto(schema)
  return value => {
    addTimes?.(value as Record<string, unknown>)
    return write(value)
  }
}
