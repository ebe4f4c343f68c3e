export type Json = Record<string, unknown>

/** The public schema, without the hints (`x-…`) for our own parser. */
export function plainSchema(schema: object): Json {
  return withoutHints(JSON.parse(JSON.stringify(schema))) as Json
}

function withoutHints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHints)
  if (typeof value !== 'object' || value === null) return value
  const most = (value as Json)['x-most']
  const kept = Object.entries(most === undefined ? value : { ...value, maximum: most })
  return Object.fromEntries(
    kept
      .filter(([name]) => !name.startsWith('x-'))
      .map(([name, each]) => (name === 'patternProperties' ? underAnyName(each) : [name, withoutHints(each)]))
  )
}

/** Describes an object that is used as a map by `additionalProperties`: generators turn `patternProperties` into `unknown`. */
function underAnyName(patterns: unknown): [string, unknown] {
  return ['additionalProperties', withoutHints((patterns as Json)['^.*$'])]
}
