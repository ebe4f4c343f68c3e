import { createHash } from 'node:crypto'
import type { SetCookie } from 'cookie'
import { challengeSeconds } from '../../core/limits.ts'
import { attemptSeconds } from './attempts.ts'

type Base = { BASE_URL: string }
type Cookies = Readonly<Record<string, string | undefined>>
const attemptPrefix = 'deskline-sso-attempt-'
const challengeName = 'deskline-sso-code'
const mostAttempts = 8

/**
 * The cookie of the browser that began a sign-in, one for each, so that another tab may begin a second one; the eldest end where there are too
 * many. The provider sends the browser back from another site, so they come with a link that is followed (`lax`).
 */
export function attemptCookies(base: Base, cookies: Cookies, begun: { url: string; cookie: string }): SetCookie[] {
  const state = new URL(begun.url).searchParams.get('state') ?? ''
  const start = nameOf(base, attemptPrefix)
  const others = Object.keys(cookies).filter(name => name.startsWith(start))
  const tooMany = others.slice(0, Math.max(0, others.length - (mostAttempts - 1)))
  return [
    cookie(base, attemptName(state), begun.cookie, 'lax', attemptSeconds),
    ...tooMany.map(name => cookie(base, name.slice(name.indexOf(attemptPrefix)), '', 'lax', 0))
  ]
}

/** Ends the cookie of the attempt with this state. */
export function endedAttemptCookie(base: Base, state: string): SetCookie {
  return cookie(base, attemptName(state), '', 'lax', 0)
}

export function attemptCookieOf(base: Base, cookies: Cookies, state: string): string {
  return cookies[nameOf(base, attemptName(state))] ?? ''
}

/** It tells nothing of the state. */
function attemptName(state: string): string {
  return `${attemptPrefix}${createHash('sha256').update(state).digest('hex').slice(0, 16)}`
}

/** For a moment, until the sign-in page asks for the code: nothing secret stands in an address. */
export function challengeCookie(base: Base, value: string): SetCookie {
  return cookie(base, challengeName, value, 'strict', challengeSeconds)
}

export function challengeCookieOf(base: Base, cookies: Cookies): string {
  return cookies[nameOf(base, challengeName)] ?? ''
}

function cookie(base: Base, name: string, value: string, sameSite: 'lax' | 'strict', seconds: number): SetCookie {
  return {
    name: nameOf(base, name),
    value,
    path: '/',
    httpOnly: true,
    secure: isSecure(base),
    sameSite,
    maxAge: value === '' ? 0 : seconds
  }
}

/** With the prefix a browser takes the cookie from this very host alone, over TLS, so that no neighbour plants one. */
function nameOf(base: Base, name: string): string {
  return `${isSecure(base) ? '__Host-' : ''}${name}`
}

function isSecure({ BASE_URL }: Base): boolean {
  return BASE_URL.startsWith('https:')
}
