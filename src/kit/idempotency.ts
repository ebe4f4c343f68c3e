import { createHash } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyAnswer, WriteEnvelope } from './answers.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { type FailureKind, failure } from './errors.ts'
import type { HeldFile } from './held-files.ts'

/** An answer as it is sent, and sent again to whoever repeats the request. */
export interface KeptAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

/** A request that bears an idempotency key, past the gates and read. */
export interface RepeatableRequest {
  key: string
  /** Undefined where a stranger asks. */
  actor: unknown
  /** That of the endpoint: under whatever alias it was reached, it is the same. */
  path: string
  /** What was asked for, as one text: the same for the same fields and files, whatever their order and encoding. */
  asked: string
  body: Record<string, unknown>
  hasFiles: boolean
}

/** What the first of the requests with one key does. `data` is what its answer tells. */
export type Work = (services: unknown) => Promise<{ answer: KeptAnswer; data: unknown }>

interface Done {
  answer: KeptAnswer
  /** It is the answer that was given the first time. */
  isReplayed: boolean
}

/** Does the work of a request, unless it has been done before. */
export type DoOnce = (request: RepeatableRequest, work: Work) => Promise<Done>

const InvalidKey = failure(
  400,
  'invalid_idempotency_key',
  'The Idempotency-Key header must be given once, with 1 to 255 visible ASCII characters'
)
export const KeyReused = failure(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was already used for a different request'
)
export const StillRunning = failure(
  409,
  'idempotency_key_running',
  'The first request with this Idempotency-Key is still running: retry in a moment'
)

/** What an endpoint that takes keys may answer besides. */
export const keyFailures: readonly FailureKind[] = [InvalidKey, KeyReused, StillRunning]

/**
 * Whether requests to this endpoint may bear an idempotency key. An endpoint that says nothing of itself writes, and so takes keys: of
 * strangers only where it says so, because they have no name under which a key is theirs.
 */
export function takesKeys({ access, answers, onlyReads, answersSecrets, keysOfStrangers }: AnyEndpoint): boolean {
  if (onlyReads || answersSecrets || (answers ?? 'json') !== 'json') return false
  return access !== 'public' || keysOfStrangers === true
}

/** The key of a request, where it bears one that counts there. Throws `InvalidKey` for one of another form. */
export function keyOf(request: FastifyRequest, endpoint: AnyEndpoint, actor: unknown): string | undefined {
  if (request.headers[headerName] === undefined || request.method !== 'POST' || !takesKeys(endpoint)) return undefined
  if (actor === undefined && endpoint.keysOfStrangers !== true) return undefined
  const [given, ...others] = request.raw.headersDistinct[headerName] ?? []
  if (others.length === 0 && given?.trim() === '') return undefined
  if (others.length > 0 || !given || !/^[\x21-\x7e]{1,255}$/.test(given)) throw InvalidKey()
  return given
}

const headerName = 'idempotency-key'

/** What is to be kept of an answer. One that gives a cookie logs somebody in, and its endpoint has to say so; to take one away is no secret. */
export function keptAnswer(
  answer: AnyAnswer,
  status: number,
  write: WriteEnvelope
): { answer: KeptAnswer; data: unknown } {
  const [cookie, ...others] = 'message' in answer ? (answer.cookies ?? []) : []
  if (!('message' in answer) || cookie?.value || others.length > 0)
    throw new Error('An answer that cannot be kept takes no idempotency key')
  const headers = { ...answer.headers, ...(cookie ? { 'set-cookie': stringifySetCookie(cookie) } : {}) }
  return { answer: { status, headers, text: write(answer) }, data: answer.data }
}

export function sendKept(reply: FastifyReply, { answer: { status, headers, text }, isReplayed }: Done): FastifyReply {
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  return reply.code(status).headers(headers).header('content-type', 'application/json; charset=utf-8').send(text)
}

/** What was asked for: the fields as they were read, and the files by name, type and content, in whatever order they came. */
export function askedFor(
  body: Record<string, unknown>,
  uploads: readonly unknown[],
  contentOf: (upload: unknown) => readonly string[]
): string {
  const files = uploads.map(upload => JSON.stringify(isHeld(upload) ? digestOf(upload) : contentOf(upload)))
  return JSON.stringify([sorted(body), files.sort()])
}

function isHeld(upload: unknown): upload is HeldFile {
  return Buffer.isBuffer((upload as Partial<HeldFile>).content)
}

function digestOf({ content }: HeldFile): string[] {
  return [createHash('sha256').update(content).digest('hex')]
}

/** With the names of each object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, each]) => [name, sorted(each)])
}
