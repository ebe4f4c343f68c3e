import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { inTime, TooLate } from '../../lib/in-time.ts'
import { isInNetworks, isPublic } from '../../lib/networks.ts'
import { type Resolve, systemResolve } from './resolve.ts'

/** Requests to addresses that people name, kept away from this network. */
export interface Outgoing {
  /** Why nothing may be sent to this address as things are now, in one sentence; undefined when it may. */
  refusal(url: URL): Promise<string | undefined>
  /** Sends a body; throws `NotSent` when no whole answer came in time. `signal` gives up at once. */
  post(
    url: URL,
    message: { headers: Record<string, string>; body: string },
    signal?: AbortSignal
  ): Promise<OutgoingAnswer>
}

export interface OutgoingAnswer {
  status: number
  retryAfter: string | undefined
  /** The beginning of what was answered. */
  text: string
}

/** No answer, or not a whole one. The message is one sentence that may be shown. */
export class NotSent extends Error {}

/** The address is one that nothing is sent to. */
class Refused extends NotSent {}

const withinMilliseconds = 15_000
/** Somebody waits who wants to save the address. */
const resolveWithinMilliseconds = 8_000
/** Who answers more has answered. */
const readBytes = 64 * 1024
const keptBytes = 2 * 1024

/**
 * Sends by HTTPS to public addresses alone, and by either to those in `allowed` networks. What a name means is judged where it is
 * connected to, so that it cannot mean something else by then. No redirect is followed, no answer decompressed, no proxy asked.
 */
export function outgoingHttp({
  allowed,
  resolve = systemResolve(),
  ca
}: {
  allowed: readonly string[]
  resolve?: Resolve
  /** Trusted in place of the well-known ones. */
  ca?: string
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

  return {
    async refusal(url) {
      try {
        await inTime(resolveWithinMilliseconds, addressesOf(url))
        return undefined
      } catch (error) {
        if (error instanceof TooLate) return `${hostOf(url)} does not resolve`
        if (error instanceof Refused) return error.message
        throw error
      }
    },

    async post(url, { headers, body }, signal) {
      // A socket looks up names, but takes an address as it is.
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
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const { promise, resolve: answered, reject } = Promise.withResolvers<OutgoingAnswer>()
      const request = send(url, {
        method: 'POST',
        agent: false,
        lookup,
        ca,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout
      })
      request.on('response', response => readAnswer(response, answered, reject))
      request.on('error', error => reject(timeout.aborted ? new NotSent(tooLate) : notSent(error)))
      request.on('close', () => reject(new NotSent('The connection was closed without an answer')))
      request.end(body)
      return await promise.finally(() => request.destroy())
    }
  }
}

const tooLate = `No whole answer came within ${withinMilliseconds / 1000} seconds`

function readAnswer(
  response: IncomingMessage,
  answered: (answer: OutgoingAnswer) => void,
  reject: (error: Error) => void
): void {
  const kept: Buffer[] = []
  let size = 0
  const finish = () => {
    const text = Buffer.concat(kept).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '')
    answered({ status: response.statusCode!, retryAfter: response.headers['retry-after'], text })
  }
  response.on('data', (chunk: Buffer) => {
    if (size < keptBytes) kept.push(chunk)
    size += chunk.length
    if (size >= readBytes) finish()
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
