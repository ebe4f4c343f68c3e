import { randomUUID } from 'node:crypto'
import { type Asker, type Encoding, poster, type Reply } from './requests.ts'

/** A POST with an idempotency key; `headers` go along. */
export async function postWithKey(
  { url }: { url: string },
  key: string,
  path: string,
  asker: Asker,
  body?: object | FormData,
  { encoding, headers = {} }: { encoding?: Encoding; headers?: Record<string, string> } = {}
): Promise<Reply> {
  return await poster(url, { 'idempotency-key': key, ...headers })(path, asker, body, encoding)
}

export function newIdempotencyKey(): string {
  return randomUUID()
}

/** Whether this is an answer that was given before. */
export function isReplayed({ headers }: Reply): boolean {
  return headers.get('idempotent-replayed') === 'true'
}
