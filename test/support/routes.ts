import assert from 'node:assert/strict'
import { permissionSlugs } from '../../src/core/permissions.ts'
import { endpoints } from '../../src/endpoints.ts'
import { type AnyEndpoint, addressesOf } from '../../src/kit/endpoint.ts'
import { exampleOf, fieldsOf } from '../../src/kit/openapi-schemas.ts'
import type { Json } from '../../src/kit/plain-schema.ts'
import type { ContractRow } from './contract-row.ts'
import { allRows } from './contract-summary.ts'
import type { Desk } from './desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './people.ts'
import { type Reply, readReply } from './requests.ts'

/** A path with an unknown id, and the endpoint that handles it unless another one claims the request. */
export interface Route {
  path: string
  pattern: string
  methods: string[]
  endpoint: AnyEndpoint
}

const unknownId = 987_654_321

export const routes: readonly Route[] = addressesOf(endpoints).map(({ path, get, claims }) => ({
  path: path.replace(':id', String(unknownId)),
  pattern: path,
  methods: get ? ['GET', 'POST'] : ['POST'],
  endpoint: claims.at(-1)!.endpoint
}))

/** The main path of each endpoint, where no other endpoint responds. */
export const mainRoutes = endpoints.map(endpoint => routes.find(route => route.pattern === endpoint.path)!)

/** The parts of a request; a string or bytes are sent as they are. */
export interface Request {
  method?: string
  asker?: { token: string }
  type?: string
  body?: RequestInit['body']
}

/** Sends a request and checks the response against the envelope and the schemas. */
export async function send(
  desk: Desk,
  path: string,
  { method = 'POST', asker, type, body }: Request = {}
): Promise<Reply> {
  const headers: Record<string, string> = {
    ...(asker ? { authorization: `Bearer ${asker.token}` } : {}),
    ...(type ? { 'content-type': type } : {})
  }
  const streamed = body instanceof ReadableStream ? { duplex: 'half' } : {}
  return await readReply(path, await fetch(desk.url + path, { method, headers, body, ...streamed } as RequestInit))
}

export async function sendJson(
  desk: Desk,
  path: string,
  asker: Person | undefined,
  body: object | string
): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return await send(desk, path, { asker, type: 'application/json', body: text })
}

/** For each endpoint somebody with access to it. */
export async function permittedCallers(desk: Desk): Promise<(endpoint: AnyEndpoint) => Person | undefined> {
  const [client, admin] = [await aClient(desk), await anAdmin(desk)]
  return ({ access }) => {
    if (access === 'public' || access === 'optional') return undefined
    return access === 'admin' || access === 'staff' || (typeof access === 'object' && !access.orClient) ? admin : client
  }
}

/** For each permission a supporter with no other. */
export async function supporterOfEachPermission(desk: Desk): Promise<[string, Person][]> {
  const supporters: [string, Person][] = []
  for (const slug of permissionSlugs) supporters.push([slug, await aSupporter(desk, slug)])
  return supporters
}

/** The fields of an endpoint with their schemas, and a body with all required ones; its id belongs to nobody. */
export function exampleBody(endpoint: AnyEndpoint): { fields: [string, Json][]; filled: Json } {
  const { properties, required, oneNeeded } = fieldsOf(endpoint)
  const names = [...required, ...oneNeeded.map(([name]) => name!), ...(endpoint.query ?? [])]
  return {
    fields: Object.entries(properties),
    filled: Object.fromEntries(names.map(name => [name, name === 'id' ? unknownId : exampleOf(properties[name]!)]))
  }
}

/** The contract's row for a path; for a shared one that of the default endpoint. */
export function contractRow({ pattern }: Route): ContractRow {
  return allRows.find(({ path }) => path === pattern) ?? allRows.findLast(({ aliases }) => aliases.includes(pattern))!
}

/** Runs requests that must all be refused, and asserts that none has written anything. */
export async function writesNothing(desk: Desk, work: () => Promise<void>): Promise<void> {
  const before = await desk.rowCounts()
  await work()
  assert.deepEqual(await desk.rowCounts(), before)
}

const many = 1_000_000

/** Settings for a test that exceeds the rate limits of attempts. */
export const withoutAttemptLimits = {
  MAX_FAILURES_PER_ADDRESS: many,
  MAX_WRONG_PASSWORDS: many,
  MAX_WRONG_FACTORS: many,
  MAX_WRONG_CODES: many,
  MAX_CODES_SENT: many,
  MAX_TEXTS_PER_NUMBER: many,
  MAX_RESET_MAILS: many
}
