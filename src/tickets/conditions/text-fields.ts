import { type ConditionField, fields } from './fields.ts'

/** The fields that hold the words of people. */
export const textFields: ReadonlySet<string> = new Set([
  ...Object.entries(fields).flatMap(([name, { kind }]: [string, ConditionField]) => (kind === 'text' ? [name] : [])),
  'event.message'
])
