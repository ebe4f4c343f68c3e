/** Why a call failed: the service's response, or that none arrived (`network_error`, with status 0). */
export class DesklineError extends Error {
  /** @param {import('./index.js').DesklineFailure & { message: string, cause?: unknown }} failure */
  constructor({ message, cause, status, reason, errors, data, requestId, retryAfterSeconds }) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DesklineError'
    this.status = status
    this.reason = reason
    this.errors = errors ?? []
    this.data = data
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * The failure in a response. A proxy may respond in another format than the service.
 *
 * @param {Response} response
 * @param {unknown} body as it was read, an object where it was JSON
 */
export function failureOf(response, body) {
  const { message, reason, errors, data } = /** @type {Record<string, any>} */ (isObject(body) ? body : {})
  return new DesklineError({
    message: message ?? `The answer has status ${response.status} and is not of Deskline`,
    status: response.status,
    reason: reason ?? 'unexpected_answer',
    errors,
    data,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(response)
  })
}

/**
 * The envelope of a successful response. A proxy may respond with a page of its own and status 200.
 *
 * @param {Response} response
 * @param {string | undefined} text
 */
export function envelopeOf(response, text) {
  try {
    const body = JSON.parse(text ?? '')
    if (body.status === 'success') return body
  } catch {
    // The error below contains the text that came instead.
  }
  throw failureOf(response, undefined)
}

/** @param {unknown} cause what the network layer threw */
export function networkFailure(cause) {
  return new DesklineError({ message: 'The service was not reached', status: 0, reason: 'network_error', cause })
}

/**
 * The seconds of `Retry-After`, which may also be a date.
 *
 * @param {Response} response
 */
export function retryAfterSeconds(response) {
  const header = response.headers.get('retry-after')
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null
}
