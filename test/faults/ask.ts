import assert from 'node:assert/strict'

/** The service could not be reached, or broke off in the middle. */
export class Gone extends Error {}

/** What was asked was refused, which is allowed at the moment, such as 503 while the database is away. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Question {
  token?: string
  /** A form, or what goes as JSON. */
  body?: FormData | object
  /** Refusals that are allowed; any other one is a fault of the service. */
  mayRefuse?: readonly number[]
}

const answersWithinMilliseconds = 60_000

/**
 * Asks and answers the `data`. Whatever comes must be an envelope, and a 503 must say when to come again. Throws `Gone`, or
 * `Refused` for a refusal that is allowed.
 */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export async function ask(url: string, path: string, { token, body, mayRefuse = [] }: Question = {}): Promise<any> {
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
  throw new Refused(status, answer.message)
}

async function fetched(address: string, init: RequestInit) {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(answersWithinMilliseconds) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw new Error(`${address} did not answer`)
    throw new Gone(`${address} cannot be reached`, { cause: error })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function envelope(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`not an envelope: ${text.slice(0, 300)}`)
  }
}
