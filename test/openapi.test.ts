import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { endpoints } from '../src/endpoints.ts'
import { addressesOf } from '../src/kit/endpoint.ts'
import { commonFailures } from '../src/kit/errors.ts'
import { apiDocument } from '../src/operation/pages/api-document.ts'
import { bootDesk } from './support/desk.ts'
import { root } from './support/program.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth.
type Any = any

const src = join(root, 'src')
const desk = await bootDesk()
const document = apiDocument() as Any
const addresses = addressesOf(endpoints)
const operations = addresses.flatMap(address => {
  const path = document.paths[address.path.replace(':id', '{id}')]
  return Object.entries(path as Any).map(([method, operation]) => ({ address, method, operation: operation as Any }))
})
const posts = operations.filter(({ method }) => method === 'post')

test('the service shows its description at /openapi.json', async () => {
  const response = await fetch(`${desk.url}/openapi.json`)

  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const { servers, ...shown } = (await response.json()) as Any
  const { servers: _, ...known } = JSON.parse(JSON.stringify(document))
  // Not `deepEqual`: to print how two such large documents differ takes gigabytes.
  assert.ok(isDeepStrictEqual(shown, known), 'docs/openapi.json is stale: npm run generate')
  assert.deepEqual(servers, [{ url: desk.services.config.BASE_URL }])
})

test('other methods on pages are a 405', async () => {
  for (const path of ['/', '/docs', '/docs/json', '/openapi.json']) {
    const refused = await fetch(desk.url + path, { method: 'POST' })
    const { status, code } = (await refused.json()) as Any

    assert.deepEqual(
      [refused.status, refused.headers.get('allow'), status, code],
      [405, 'GET, HEAD', 'error', 405],
      path
    )
  }
  for (const path of ['/docs/nothing', '/docs/static/nothing.js', '/docs/static/..%2f..%2fpackage.json']) {
    const missing = await fetch(desk.url + path)

    assert.deepEqual([missing.status, ((await missing.json()) as Any).status], [404, 'error'], path)
  }
})

test('every address is described for every method that it takes, under a name of its own', () => {
  const methods = addresses.flatMap(({ path, get }) => (get ? [`get ${path}`, `post ${path}`] : [`post ${path}`]))
  const names = operations.map(({ operation }) => operation.operationId)

  assert.deepEqual(
    operations.map(({ address, method }) => `${method} ${address.path}`),
    methods
  )
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z]\w+$/)
})

test('every body may come in each of the three encodings, with files in multipart alone', () => {
  for (const { address, operation } of posts) {
    const fields = address.claims.flatMap(({ endpoint }) => Object.keys(endpoint.body?.properties ?? {}))
    if (fields.every(name => name === 'id' && address.path.includes(':id'))) continue
    const { content } = resolved(operation.requestBody)
    const files = Object.keys(content).filter(type =>
      schemasOf(content[type]).some(schema => schema.properties.attachments)
    )

    assert.deepEqual(Object.keys(content), [
      'application/json',
      'multipart/form-data',
      'application/x-www-form-urlencoded'
    ])
    assert.deepEqual(files, address.claims.some(({ endpoint }) => endpoint.files) ? ['multipart/form-data'] : [])
  }
})

test('every example fits the schema beside it', () => {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  let checked = 0
  visit(document, (part, at) => {
    if (!part.schema) return
    const examples = [
      ...Object.values(part.examples ?? {}).map((example: Any) => resolved(example).value),
      part.example
    ]
    for (const example of examples.filter(example => example !== undefined)) {
      // By its place in the document, so that what several schemas refer to is compiled once.
      const validate = ajv.getSchema(`document#${at}/schema`)!
      assert.ok(validate(example), `${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`)
      checked++
    }
  })

  assert.ok(checked > 200, `${checked} examples`)
})

test('every failure that an endpoint declares is described with its status and text', () => {
  for (const { address, operation } of operations) {
    for (const { endpoint } of address.claims) {
      for (const kind of [...commonFailures, ...(endpoint.errors ?? [])]) {
        const response = resolved(operation.responses[kind.status])

        assert.ok(response.description.includes(kind.text), `${address.path} ${kind.text}`)
      }
      assert.ok(operation.responses[endpoint.status ?? 200], address.path)
    }
  }
})

test('a failure has a reason for programs, which means one status wherever it is met', () => {
  const kinds = [...commonFailures, ...endpoints.flatMap(({ errors = [] }) => errors)]
  const statuses = new Map(kinds.map(({ reason, status }) => [reason, status]))

  for (const { reason, status } of kinds) {
    assert.match(reason, /^[a-z][a-z0-9_]+$/)
    assert.equal(statuses.get(reason), status, reason)
  }
})

test('the closed list of reasons holds those of all failures that are declared anywhere, and the envelope refers to it', async () => {
  const declared = new Set<string>()
  for await (const path of glob('**/*.ts', { cwd: src, exclude: ['**/*.test.ts'] })) {
    const text = await readFile(join(src, path), 'utf8')
    const reasons = [...text.matchAll(/\bfailure\(\s*\d+,\s*'(\w+)'/g)].map(found => found[1]!)
    const calls = [...text.matchAll(/(?<!function )\bfailure\(/g)].length
    assert.equal(reasons.length, calls, `${path}: a failure is declared by its status and reason`)
    for (const reason of reasons) declared.add(reason)
  }

  const { Reason, Refusal } = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')).components.schemas

  assert.ok(declared.size > 100)
  assert.deepEqual(Reason.enum, [...declared].sort())
  assert.deepEqual(Refusal.properties.reason, { $ref: '#/components/schemas/Reason' })
})

test('every response to a failure shows the error envelope', () => {
  const refusals = Object.values(document.paths).flatMap((path: Any) =>
    Object.values(path).flatMap((operation: Any) =>
      Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    )
  )

  for (const [, response] of refusals as Any[]) {
    const { schema } = resolved(response).content['application/json']
    assert.equal((schema.allOf?.[0] ?? schema).$ref, '#/components/schemas/Refusal')
  }
  assert.ok(refusals.length > 1000)
})

test('what a failure carries is described with its shape and an example', () => {
  const conflict = resolved(document.paths['/api/admin/tickets/status'].post.responses[409])
  const { schema, examples } = conflict.content['application/json']
  const told = Object.values(examples as Any).flatMap((example: Any) => example.value.data ?? [])

  assert.deepEqual(
    schema.properties.data.anyOf.map((shape: Any) => Object.keys(shape.properties)),
    [['merged_into'], ['blocked_by', 'blocked_by_unseen', 'waiting_for'], ['current_version']]
  )
  const names = ['merged_into', 'blocked_by', 'blocked_by_unseen', 'waiting_for', 'current_version']
  assert.deepEqual(told.flatMap(Object.keys), names)
  const plain = resolved(document.paths['/api/auth/signup'].post.responses[409]).content['application/json']
  assert.deepEqual(Object.keys(resolved(plain.schema).properties), ['status', 'code', 'message', 'reason', 'errors'])
})

test('every operation says who may call it: by its security, its permission and in words', () => {
  for (const { address, operation } of operations) {
    const accesses = address.claims.map(({ endpoint }) => endpoint.access)
    const isGuarded = accesses.every(access => access !== 'public' && access !== 'optional')
    const isForPeople = address.claims.every(({ endpoint }) => endpoint.signedInOnly)
    const tokens = [{ bearer: [] }, ...(isForPeople ? [] : [{ apiToken: [] }])]
    const named = accesses.flatMap(access =>
      access === 'admin' ? ['admin'] : typeof access === 'object' ? access.anyOf : []
    )

    assert.deepEqual(operation.security, isGuarded ? tokens : accesses[0] === 'public' ? [] : [{}, ...tokens])
    assert.equal(
      '401' in operation.responses,
      isGuarded || address.claims.some(({ endpoint }) => declares(endpoint, 401))
    )
    assert.deepEqual(operation['x-permission'] ?? [], [...new Set(named)])
    for (const name of named) assert.match(operation.description, new RegExp(name))
  }
})

test('aliases say for what they stand, and shared addresses when for which', () => {
  for (const { address, operation } of posts) {
    const [first, second] = address.claims
    if (address.path === first!.endpoint.path) continue
    for (const claim of [first, second]) {
      if (claim) assert.ok(operation.description.includes(`\`POST ${claim.endpoint.path}\``), address.path)
    }
  }
  assert.match(
    document.paths['/api/tickets'].post.description,
    /any of .*`subject`, `message`, `priority`, a file is sent/
  )
})

test('an id in an address is a parameter and no field of the body', () => {
  for (const { address, operation } of posts.filter(({ address }) => address.path.includes(':id'))) {
    const [parameter] = operation.parameters
    const schemas = operation.requestBody ? schemasOf(resolved(operation.requestBody).content['application/json']) : []

    assert.deepEqual([parameter.name, parameter.in, parameter.required], ['id', 'path', true], address.path)
    for (const { properties } of schemas) assert.equal('id' in properties, false, address.path)
  }
})

test('the hints for our own reader stay at home, but who may call and what an alias stands for', () => {
  visit(document, part => {
    const hints = Object.keys(part).filter(
      name => name.startsWith('x-') && !['x-permission', 'x-alias-of'].includes(name)
    )
    assert.deepEqual(hints, [])
  })
})

function declares(endpoint: (typeof endpoints)[number], status: number): boolean {
  return (endpoint.errors ?? []).some(kind => kind.status === status)
}

function resolved(part: Any): Any {
  if (!part?.$ref) return part
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((found: Any, name: string) => found[name], document)
}

function schemasOf({ schema }: Any): Any[] {
  return (schema.anyOf ?? [schema]).map(resolved)
}

/** Looks at each object of the document, with its JSON pointer as in the fragment of an address. */
function visit(part: Any, see: (part: Any, at: string) => void, at = ''): void {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) see(part, at)
  for (const [name, each] of Object.entries(part)) visit(each, see, `${at}/${escaped(name)}`)
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}
