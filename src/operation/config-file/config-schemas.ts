import { Type } from 'typebox'
import { fieldsOf, kindsOfDefinitions, most } from './definitions.ts'
import type { Definition } from './references.ts'

/** The definitions of a desk by kind, with the fields of the API and names where it has ids. */
export type Config = Readonly<Record<string, readonly Definition[]>>

/** All definitions, by kind. Each is checked by itself, so that one that is refused leaves the others. */
export const ConfigFile = Type.Unsafe<Config>(
  Type.Object(
    Object.fromEntries(
      kindsOfDefinitions.map(kind => [
        kind.list,
        Type.Optional(
          Type.Array(Type.Object({}, { additionalProperties: true }), {
            maxItems: most,
            description: `Each with ${fieldsOf(kind).join(', ')}, as the API has them, with names where it has ids, and e-mail addresses of people.`
          })
        )
      ])
    ),
    { additionalProperties: false, examples: [{ tags: [{ name: 'urgent', color: '#c0392b' }] }] }
  )
)
