import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { isInNetworks, isPublic } from '../../lib/networks.ts'
import { TimedOut, withTimeout } from '../../lib/timeout.ts'
import { type Resolve, systemResolve } from './resolve.ts'

/** Requests to URLs that users enter, kept away from the internal network. */
export interface Outgoing {
  /** Why nothing may be sent to this URL now, in one sentence; undefined if it may. */
  refusal(url: URL): Promise<string | undefined>
  /** Sends a body; throws `NotSent` if no complete response came in time. `signal` aborts at once. */
  post(
    url: URL,
    message: { headers: Record<string, string>; body: string },
    signal?: AbortSignal
  ): Promise<OutgoingAnswer>
  /** The same for any method, with or without a body. */
  send(url: URL, message: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer>
}

interface OutgoingRequest {
  method: string
  headers: Record<string, string>
  body?: string
  /** How much of the response is kept, if not as usual. */
  keptBytes?: number
}

export interface OutgoingAnswer {
  status: number
  retryAfter: string | undefined
  contentType: string | undefined
  /** The beginning of the response body. */
  text: string
  bytes: Buffer
}

/** No response, or an incomplete one. The message is one sentence that may be shown. */
export class NotSent extends Error {}

/** The URL is not allowed. */
class Refused extends NotSent {}

const withinMilliseconds = 15_000
/** Somebody is waiting to save the URL. */
const resolveWithinMilliseconds = 8_000
/** The rest of a longer response is not read. */
const readBytes = 64 * 1024
const usualKeptBytes = 2 * 1024

/**
 * Sends by HTTPS to public addresses only, and by HTTP or HTTPS to those in `allowed` networks. A name is resolved and checked when connecting,
 * so that it cannot change in between. No redirects, no decompression, no proxy.
 */
export function outgoingHttp({
  allowed,
  resolve = systemResolve(),
  ca,
  keptBytes: usuallyKept = usualKeptBytes
}: {
  allowed: readonly string[]
  resolve?: Resolve
  /** Trusted instead of the well-known certificate authorities. */
  ca?: string
  /** How much of a response is kept. */
  keptBytes?: number
}): Outgoing {
  const addressesOf = async (url: URL): Promise<string[]> => {
    const host = hostOf(url)
    const addresses = isIP(host) ? [host] : await resolve(host).catch(() => [])
    if (addresses.length === 0) throw new Refused(`${host} does not resolve`)
    const isFit = (address: string) =>
      isInNetworks(address, allowed) || (url.protocol === 'https:' && isPublic(address))
    if (addresses.every(isFit)) return addresses
    const isPlain = addresses.every(address => isPublic(address))
    throw new Refused(
      isPlain ? 'Only https:// addresses are allowed' : `${host} leads to an address that is not allowed`
    )
  }

  async function send(
    url: URL,
    { method, headers, body, keptBytes = usuallyKept }: OutgoingRequest,
    signal?: AbortSignal
  ) {
    // A socket looks up names, but does not check a literal address.
    if (isIP(hostOf(url))) await addressesOf(url)
    const lookup: LookupFunction = (_host, { all }, done) => {
      addressesOf(url).then(
        found => {
          const addresses = found.map(address => ({ address, family: isIP(address) }))
          if (all) done(null, addresses)
          else done(null, addresses[0]!.address, addresses[0]!.family)
        },
        error => done(error, [])
      )
    }
    const timeout = AbortSignal.timeout(withinMilliseconds)
    const requestOf = url.protocol === 'https:' ? httpsRequest : httpRequest
    const { promise, resolve: answered, reject } = Promise.withResolvers<OutgoingAnswer>()
    const sent = requestOf(url, {
      method,
      agent: false,
      lookup,
      ca,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        connection: 'close'
      },
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout
    })
    sent.on('response', response => readAnswer(response, keptBytes, answered, reject))
    sent.on('error', error => reject(timeout.aborted ? new NotSent(tooLate) : notSent(error)))
    sent.on('close', () => reject(new NotSent('The connection was closed without an answer')))
    sent.end(body)
    return await promise.finally(() => sent.destroy())
  }

  return {
    post: (url, { headers, body }, signal) => send(url, { method: 'POST', headers, body }, signal),
    send,

    async refusal(url) {
      try {
        await withTimeout(resolveWithinMilliseconds, addressesOf(url))
        return undefined
      } catch (error) {
        if (error instanceof TimedOut) return `${hostOf(url)} does not resolve`
        if (error instanceof Refused) return error.message
        throw error
      }
    }
  }
}

const tooLate = `No whole answer came within ${withinMilliseconds / 1000} seconds`

function readAnswer(
  response: IncomingMessage,
  keptBytes: number,
  answered: (answer: OutgoingAnswer) => void,
  reject: (error: Error) => void
): void {
  const kept: Buffer[] = []
  let size = 0
  const finish = () => {
    const bytes = Buffer.concat(kept).subarray(0, keptBytes)
    const text = bytes.toString('utf8').replaceAll('\0', '')
    answered({
      status: response.statusCode!,
      retryAfter: response.headers['retry-after'],
      contentType: response.headers['content-type'],
      text,
      bytes
    })
  }
  response.on('data', (chunk: Buffer) => {
    if (size < keptBytes) kept.push(chunk)
    size += chunk.length
    if (size >= Math.max(readBytes, keptBytes)) finish()
  })
  response.on('end', finish)
  response.on('error', error => reject(isAborted(error) ? new NotSent(tooLate) : notSent(error)))
}

function isAborted(error: Error): boolean {
  return error.name === 'AbortError' || error.name === 'TimeoutError'
}

function notSent(error: NodeJS.ErrnoException): NotSent {
  if (error instanceof NotSent) return error
  return new NotSent(`The connection failed: ${error.code ?? error.message}`)
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
