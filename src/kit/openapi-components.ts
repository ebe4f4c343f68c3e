import type { TSchema } from 'typebox'
import { withIsoTimes } from './iso-times.ts'
import { type Json, plainSchema } from './openapi-schemas.ts'

/** The parts of a document that several places refer to. */
export interface Components {
  /** A reference to the part; what has been kept before, under whatever name, is not kept again. */
  refer(section: Section, name: string, part: Json): Json
  /** The name under which this shape is described once, if it is a model. */
  modelOf(shape: Json): string | undefined
  all(): Json
}

type Section = 'schemas' | 'examples' | 'requestBodies' | 'responses'

/** `models`: schemas of answers that are described once each, under their names. */
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
      // Two different parts of one name: the later is told by a number.
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

/** The shape as text, the same in whatever order its keywords come. */
function inOneOrder(shape: Json): string {
  return JSON.stringify(shape, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  )
}
