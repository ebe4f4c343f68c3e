import type { TSchema } from 'typebox'
import { withIsoTimes } from './iso-times.ts'
import { type Json, plainSchema } from './plain-schema.ts'

/** The reusable components of an OpenAPI document. */
export interface Components {
  /** A reference to the component; an equal one that exists under any name is reused. */
  refer(section: Section, name: string, part: Json): Json
  /** The name of this schema, if it is a model. */
  modelOf(shape: Json): string | undefined
  all(): Json
}

type Section = 'schemas' | 'examples' | 'requestBodies' | 'responses'

/** `models`: response schemas with a name, described once each. */
export function makeComponents(models: Record<string, TSchema>): Components {
  const modelNames = new Map(
    Object.entries(models).map(([name, schema]) => [inOneOrder(plainSchema(withIsoTimes(schema))), name])
  )
  const sections: Record<Section, Map<string, Json>> = {
    schemas: new Map(),
    examples: new Map(),
    requestBodies: new Map(),
    responses: new Map()
  }
  const names = new Map<string, string>()
  return {
    refer(section, wanted, part) {
      const key = `${section} ${inOneOrder(part)}`
      let name = names.get(key) ?? wanted
      // Two different components with one name: the later one gets a number.
      for (let serial = 2; !names.has(key) && sections[section].has(name); serial++) name = `${wanted}${serial}`
      names.set(key, name)
      sections[section].set(name, part)
      return { $ref: `#/components/${section}/${name}` }
    },
    modelOf: shape => modelNames.get(inOneOrder(shape)),
    all: () =>
      Object.fromEntries(Object.entries(sections).map(([section, parts]) => [section, Object.fromEntries(parts)]))
  }
}

/** The schema as canonical text, independent of the order of its keywords. */
function inOneOrder(shape: Json): string {
  return JSON.stringify(shape, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  )
}
