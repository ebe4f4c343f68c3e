import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../lib/network.ts'

/** What is known about the caller from the network. */
export interface Caller {
  ip: string
  userAgent: string
  requestId: string
}

/** The same with the headers and cookies of the request. */
export interface HttpCaller extends Caller {
  /** By lower-case name. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** By name; parsed on demand, since few endpoints need them. */
  cookies(): Readonly<Record<string, string | undefined>>
}

export function callerOf(request: FastifyRequest): HttpCaller {
  const { headers } = request
  return {
    ip: plainAddress(request.ip),
    userAgent: headers['user-agent'] ?? '',
    requestId: request.id,
    headers,
    cookies: () => parseCookie(headers.cookie ?? '')
  }
}
