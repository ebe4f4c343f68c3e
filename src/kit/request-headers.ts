import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Failure, MalformedBody } from './errors.ts'

/** What is wrong with the Host header, if anything: it is missing, or there are several, and a proxy may have checked another one than we read. */
export function hostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): Failure | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? MalformedBody({ message: 'The request has no Host header' }) : undefined
  }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 ? MalformedBody({ message: 'The request has more than one Host header' }) : undefined
}

/** Some proxies append the port to an address in X-Forwarded-For, as in 192.0.2.7:1234 and [2001:db8::1]:1234. */
export function stripForwardedPorts(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for']
  if (typeof given !== 'string' || !given.includes(':')) return
  headers['x-forwarded-for'] = given.split(',').map(withoutPort).join(', ')
}

function withoutPort(given: string): string {
  const address = given.trim()
  const [, inBrackets, plain] = /^\[([\da-f:.]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/i.exec(address) ?? []
  return inBrackets ?? plain ?? address
}
