import assert from 'node:assert/strict'

/** The service could not be reached, or closed the connection in the middle of a response. */
export class ServiceUnreachable extends Error {}

/** The request was refused with a status that is allowed at the moment, such as 503 while the database is down. */
export class RequestRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface CallOptions {
  token?: string
  /** A form, or an object that is sent as JSON. */
  body?: FormData | object
  /** Statuses that are allowed; any other refusal is a failure. */
  mayRefuse?: readonly number[]
}

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape.
type AnyData = any

const answersWithinMilliseconds = 60_000

/**
 * Sends a request and returns the `data` of its response. Every response must be an envelope, and a 503 must have `Retry-After`. Throws
 * `ServiceUnreachable`, or `RequestRefused` for a refusal that is allowed.
 */
export async function callApi(
  url: string,
  path: string,
  { token, body, mayRefuse = [] }: CallOptions = {}
): Promise<AnyData> {
  const isForm = body instanceof FormData
  const { status, headers, text } = await fetched(url + path, {
    method: 'POST',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {})
    },
    body: isForm ? body : body && JSON.stringify(body)
  })
  const answer = envelope(text)
  assert.equal(answer.code, status, `${path} answered ${status}: ${text}`)
  assert.equal(answer.status, status < 400 ? 'success' : 'error', text)
  if (status === 503) assert.ok(Number(headers.get('retry-after')) >= 1, `${path} did not say when to come again`)
  if (status < 300) return answer.data
  assert.ok(mayRefuse.includes(status), `${path} answered ${status}: ${answer.message}`)
  throw new RequestRefused(status, answer.message)
}

async function fetched(address: string, init: RequestInit) {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(answersWithinMilliseconds) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw new Error(`${address} did not answer`)
    throw new ServiceUnreachable(`${address} cannot be reached`, { cause: error })
  }
}

function envelope(text: string): AnyData {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`not an envelope: ${text.slice(0, 300)}`)
  }
}
