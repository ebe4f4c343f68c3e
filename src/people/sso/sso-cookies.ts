import type { SetCookie } from 'cookie'
import { challengeSeconds } from '../../core/limits.ts'
import { attemptSeconds } from './attempts.ts'

type Base = { BASE_URL: string }
const names = { attempt: 'deskline-sso', challenge: 'deskline-sso-code' } as const

/** Of the browser that began a sign-in. The provider sends it back from another site, so it comes with a link that is followed (`lax`). */
export function attemptCookie(base: Base, value: string): SetCookie {
  return cookie(base, 'attempt', value, 'lax', attemptSeconds)
}

/** For a moment, until the sign-in page asks for the code: nothing secret stands in an address. */
export function challengeCookie(base: Base, value: string): SetCookie {
  return cookie(base, 'challenge', value, 'strict', challengeSeconds)
}

export function cookieOf(
  base: Base,
  cookies: Readonly<Record<string, string | undefined>>,
  which: keyof typeof names
): string {
  return cookies[nameOf(base, which)] ?? ''
}

function cookie(
  base: Base,
  which: keyof typeof names,
  value: string,
  sameSite: 'lax' | 'strict',
  seconds: number
): SetCookie {
  const secure = isSecure(base)
  return {
    name: nameOf(base, which),
    value,
    path: '/',
    httpOnly: true,
    secure,
    sameSite,
    maxAge: value === '' ? 0 : seconds
  }
}

/** With the prefix a browser takes the cookie from this very host alone, over TLS, so that no neighbour plants one. */
function nameOf(base: Base, which: keyof typeof names): string {
  return `${isSecure(base) ? '__Host-' : ''}${names[which]}`
}

function isSecure({ BASE_URL }: Base): boolean {
  return BASE_URL.startsWith('https:')
}
