import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { isoTimesInto, withIsoTimes } from './iso-times.ts'

/** Serializes a response: only the fields of its schema, and an ISO 8601 time beside each timestamp, which is set in the value first. */
export function serializerFor<T>(schema: TSchema): (value: T) => string {
  const write: (value: T) => string = fastJson(withIsoTimes(schema) as fastJson.Schema)
  const addTimes = isoTimesInto(schema)
  if (!addTimes) return write
  return value => {
    if (value) addTimes(value as Record<string, unknown>)
    return write(value)
  }
}
