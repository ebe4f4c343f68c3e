import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../lib/network.ts'

/** What the network tells of the caller. */
export interface Caller {
  ip: string
  userAgent: string
  requestId: string
}

/** The same with all that came with the request itself. */
export interface HttpCaller extends Caller {
  /** By name in small letters. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** By name. They are parsed when this is called: few endpoints ask. */
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
