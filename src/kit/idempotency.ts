import { createHash } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyAnswer, SerializeEnvelope } from './answers.ts'
import type { About, AnyEndpoint } from './endpoint.ts'
import { type FailureKind, failure } from './errors.ts'
import type { InMemoryFile } from './in-memory-upload.ts'

/** A response, as it is sent and stored for retries. */
export interface StoredResponse {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  text: string
}

/** An authorized, parsed request with an idempotency key. */
export interface RepeatableRequest {
  key: string
  /** Undefined without a login. */
  actor: unknown
  /** The main path of the endpoint, the same for all of its aliases. */
  path: string
  /** A canonical text of the request: equal for the same fields and files in any order and encoding. */
  asked: string
  body: Record<string, unknown>
  about: About
  hasFiles: boolean
}

/** The work of the first request with a key. `data` is the data of its response. */
export type Work = (services: unknown) => Promise<{ answer: StoredResponse; data: unknown }>

interface Done {
  answer: StoredResponse
  /** Whether this is the stored response of the first request. */
  isReplayed: boolean
}

/** Does the work of a request once; a retry gets the stored response. */
export type ExecuteOnce = (request: RepeatableRequest, work: Work) => Promise<Done>

const InvalidKey = failure(
  400,
  'invalid_idempotency_key',
  'The Idempotency-Key header must be given once, with 1 to 255 visible ASCII characters'
)
export const IdempotencyKeyReused = failure(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was already used for a different request'
)
export const StillRunning = failure(
  409,
  'idempotency_key_running',
  'The first request with this Idempotency-Key is still running: retry in a moment'
)

/** Further failures of endpoints that accept keys. */
export const keyFailures: readonly FailureKind[] = [InvalidKey, IdempotencyKeyReused, StillRunning]

/**
 * Whether this endpoint accepts idempotency keys. By default endpoints write, and so accept keys; without a login only if they declare it,
 * because such callers have no account to which a key belongs.
 */
export function acceptsIdempotencyKeys({
  access,
  answers,
  onlyReads,
  answersSecrets,
  keysWithoutLogin
}: AnyEndpoint): boolean {
  if (onlyReads || answersSecrets || (answers ?? 'json') !== 'json') return false
  return access !== 'public' || keysWithoutLogin === true
}

/** The key of a request, if it has one and the endpoint accepts it. Throws `InvalidKey` for a malformed one. */
export function keyOf(request: FastifyRequest, endpoint: AnyEndpoint, actor: unknown): string | undefined {
  if (request.headers[headerName] === undefined || request.method !== 'POST' || !acceptsIdempotencyKeys(endpoint))
    return undefined
  if (actor === undefined && endpoint.keysWithoutLogin !== true) return undefined
  const [given, ...others] = request.raw.headersDistinct[headerName] ?? []
  if (others.length === 0 && given?.trim() === '') return undefined
  if (others.length > 0 || !given || !/^[\x21-\x7e]{1,255}$/.test(given)) throw InvalidKey()
  return given
}

const headerName = 'idempotency-key'

/** What to store of a response. A response that sets a cookie contains a secret, so its endpoint must declare that; removing a cookie is no secret. */
export function storedResponse(
  answer: AnyAnswer,
  status: number,
  write: SerializeEnvelope
): { answer: StoredResponse; data: unknown } {
  const cookies = 'message' in answer ? (answer.cookies ?? []) : []
  if (!('message' in answer) || cookies.some(({ value }) => value))
    throw new Error('An answer that cannot be kept takes no idempotency key')
  const headers = {
    ...answer.headers,
    ...(cookies.length > 0 ? { 'set-cookie': cookies.map(cookie => stringifySetCookie(cookie)) } : {})
  }
  return { answer: { status, headers, text: write(answer) }, data: answer.data }
}

export function sendStoredResponse(
  reply: FastifyReply,
  { answer: { status, headers, text }, isReplayed }: Done
): FastifyReply {
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  return reply.code(status).headers(headers).header('content-type', 'application/json; charset=utf-8').send(text)
}

/** The canonical text of a request: its parsed fields, and its files by name, type and content, in any order. */
export function canonicalRequest(
  body: Record<string, unknown>,
  uploads: readonly unknown[],
  contentOf: (upload: unknown) => readonly string[]
): string {
  const files = uploads.map(upload => JSON.stringify(isHeld(upload) ? digestOf(upload) : contentOf(upload)))
  return JSON.stringify([sorted(body), files.sort()])
}

function isHeld(upload: unknown): upload is InMemoryFile {
  return Buffer.isBuffer((upload as Partial<InMemoryFile>).content)
}

function digestOf({ content }: InMemoryFile): string[] {
  return [createHash('sha256').update(content).digest('hex')]
}

/** The value with the keys of each object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, each]) => [name, sorted(each)])
}
