import type { AnyEndpoint } from './endpoint.ts'
import type { Components } from './openapi-components.ts'
import { type Json, plainSchema } from './plain-schema.ts'

/** The public schema of a response, with a reference instead of each named model. */
export function schemaWithModels(schema: object, components: Components): Json {
  return referred(plainSchema(schema), components) as Json
}

function referred(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map(each => referred(each, components))
  if (typeof value !== 'object' || value === null) return value
  const isNullable = Array.isArray((value as Json).type) && ((value as Json).type as string[]).includes('null')
  const shape = isNullable && 'properties' in value ? { ...value, type: 'object' } : value
  const inside = Object.fromEntries(Object.entries(shape).map(([key, each]) => [key, referred(each, components)]))
  const name = components.modelOf(shape as Json)
  if (!name) return shape === value ? inside : { ...inside, type: (value as Json).type }
  const model = components.refer('schemas', name, inside)
  return isNullable ? { anyOf: [model, { type: 'null' }] } : model
}

export interface Fields {
  properties: Record<string, Json>
  required: string[]
  /** Groups of a required field and its synonyms: one name of each group must be sent. */
  oneNeeded: string[][]
}

/** The fields of a request body, including synonyms, except those in `without`, which are sent elsewhere. */
export function fieldsOf(endpoint: AnyEndpoint, without: readonly string[] = []): Fields {
  const fields: Fields = { properties: {}, required: [], oneNeeded: [] }
  const { properties = {}, required = [] } = plainSchema(endpoint.body ?? {}) as Partial<Fields>
  for (const [name, schema] of Object.entries(properties)) {
    if (without.includes(name)) continue
    const synonyms = Object.keys(endpoint.synonyms ?? {}).filter(synonym => endpoint.synonyms![synonym] === name)
    fields.properties[name] = schema
    for (const synonym of synonyms) {
      fields.properties[synonym] = { ...schema, description: `Another name for \`${name}\`.` }
    }
    if (!required.includes(name) || endpoint.query?.includes(name)) continue
    if (synonyms.length === 0) fields.required.push(name)
    else fields.oneNeeded.push([name, ...synonyms])
  }
  return fields
}

/**
 * The schema of a body in one encoding, with files only for multipart. That one of several names is required is stated in the description:
 * a schema that states it makes generators lose the fields.
 */
export function bodySchema({ properties, required, oneNeeded }: Fields, files: boolean): Json {
  const needs = oneNeeded.map(names => `Needs ${names.map(name => `\`${name}\``).join(' or ')}.`)
  return {
    type: 'object',
    ...(needs.length > 0 ? { description: needs.join(' ') } : {}),
    properties: files ? { ...properties, attachments: filesSchema } : properties,
    ...(required.length > 0 ? { required } : {})
  }
}

const filesSchema = {
  type: 'array',
  items: { type: 'string', format: 'binary' },
  description: 'Files; their field names do not matter.'
}

/** An example body with the fields under their main names. A field whose example would be null is left out: a form cannot send null. */
export function bodyExample(endpoint: AnyEndpoint, { properties }: Fields): Json {
  const names = Object.keys(properties).filter(name => !endpoint.synonyms?.[name])
  const examples = names.map(name => [name, exampleOf(properties[name]!)])
  return Object.fromEntries(examples.filter(([, example]) => example !== null))
}

/** A value that fits the schema, made from its examples. */
export function exampleOf(schema: Json): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return exampleOf(choices[0]!)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, each]) => [name, exampleOf(each)])
      )
    case 'array':
      return [exampleOf(schema.items as Json)]
    case 'boolean':
      return true
    case 'integer':
      return schema.minimum ?? 0
    case 'string':
      return 'text'
    default:
      return null
  }
}
