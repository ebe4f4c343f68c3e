import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import { addressesOf } from '../src/kit/endpoint.ts'
import { apiDocument } from '../src/operation/pages/api-document.ts'
import { apiModels } from '../src/operation/pages/api-models.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth.
type Any = any

const document = apiDocument() as Any
const { schemas, responses } = document.components

test('what an answer or a refusal shows within has a name, so that generators make one type of it', () => {
  const nameless: string[] = []
  for (const [name, response] of Object.entries(responses as Any)) {
    const schema = (response as Any).content['application/json']?.schema
    const data = schema?.properties?.data
    if (!data) continue
    for (const choice of data.anyOf ?? [data]) {
      for (const [path, shape] of shapesIn(choice, name)) {
        if (Object.keys(shape.properties).length > 2) nameless.push(path)
      }
    }
  }

  assert.deepEqual(nameless, [])
})

test('every model is one that something shows, described once', () => {
  assert.deepEqual(
    Object.keys(apiModels).filter(name => !schemas[name] || schemas[`${name}2`]),
    []
  )
})

test('each page of a list says what is served by default and at most', () => {
  const limits = Object.entries(schemas as Any).flatMap(([name, { properties }]: Any) =>
    name.endsWith('Body') && properties?.limit ? [[name, properties.limit]] : []
  )

  assert.ok(limits.length >= 12, `${limits.length} lists`)
  for (const [name, { minimum, maximum, examples, description }] of limits as [string, Any][]) {
    const [fallback, most] = [examples[0], maximum].map(number => number.toLocaleString('en'))

    assert.equal(minimum, 1, name)
    assert.ok(maximum <= 1000, name)
    assert.equal(description, `The default is ${fallback}; larger values than ${most} count as ${most}.`, name)
  }
})

test('every area of the addresses is a tag that says what it is about', () => {
  const told = new Set(document.tags.map(({ name }: Any) => name))
  const used = Object.values(document.paths as Any).flatMap((path: Any) =>
    Object.values(path).flatMap((operation: Any) => operation.tags)
  )

  assert.deepEqual(
    used.filter(name => !told.has(name)),
    []
  )
  assert.deepEqual(
    [...told].filter(name => !used.includes(name)),
    []
  )
})

test('operations have names as programs write them, without underscores', () => {
  const names = addressesOf(endpoints).map(
    ({ path }) => document.paths[path.replace(/:(\w+)/g, '{$1}')].post.operationId
  )

  assert.deepEqual(
    names.filter(name => !/^[a-z][A-Za-z0-9]*$/.test(name)),
    []
  )
  assert.ok(names.includes('adminClientsSendReset') && names.includes('adminClientsSendResetAlias'))
})

test('no schema leaves open what it holds, but for the facts of the history, the definitions of a file and what browsers say of passkeys', () => {
  const open = [...namesOfOpen(document, '')]

  assert.deepEqual(
    open.filter(
      path =>
        !/(AuditEntry|Event|TimelineEvent|WebhookMessage\/properties\/data)\/properties\/(before|after)$/.test(path) &&
        !/Passkey(s?Register|Verify)Body\/properties\/response|\/properties\/passkey\/properties\/response|PasskeyOptions\b|PasskeysOptions200.*\/options$/.test(
          path
        ) &&
        !/(ConfigFile|AdminConfigImportBody\/properties\/config)\/properties\/\w+\/items$/.test(path)
    ),
    []
  )
})

/** The objects within a shape that are written out there, instead of under a name. */
function* shapesIn(shape: Any, path: string): Generator<[string, Any]> {
  for (const [name, each] of Object.entries((shape.properties ?? {}) as Any)) yield* itself(each, `${path}.${name}`)
  if (shape.items) yield* itself(shape.items, `${path}[]`)
  if (shape.additionalProperties) yield* itself(shape.additionalProperties, `${path}{}`)
  for (const choice of shape.anyOf ?? []) yield* itself(choice, path)
}

function* itself(shape: Any, path: string): Generator<[string, Any]> {
  if (shape.properties) yield [path, shape]
  yield* shapesIn(shape, path)
}

function* namesOfOpen(part: Any, path: string): Generator<string> {
  if (typeof part !== 'object' || part === null || path.includes('/examples') || path.endsWith('/example')) return
  const isObject = [part.type].flat().includes('object')
  const isEmpty = isObject && !part.properties && typeof part.additionalProperties !== 'object'
  const isFree = part.additionalProperties === true || part.patternProperties
  if (isEmpty || isFree || ([part.type].flat().includes('array') && !part.items)) yield path
  for (const [name, each] of Object.entries(part)) yield* namesOfOpen(each, `${path}/${name}`)
}
