import { type SetCookie, stringifySetCookie } from 'cookie'
import type { HttpCaller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import type { Config } from '../config.ts'
import { refreshTokenSeconds } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'
import type { TokenPair } from './sessions.ts'

export const CrossOriginPage = failure(
  403,
  'foreign_page',
  'Only pages of the same origin may sign in with a cookie. Behind a proxy, BASE_URL must be set to that origin'
)

/**
 * How our pages keep their session: the refresh token is in an HttpOnly cookie. A page requests that by the header `X-Deskline-Session:
 * client` or `staff`, which no other site can send. Each population has its own cookie, so that one browser can be logged in as a client
 * and as staff.
 */
export interface PageSession {
  population: Population
  isSecure: boolean
  /** The refresh token in the browser's cookie. */
  refreshToken: string | undefined
}

const sessionHeader = 'x-deskline-session'

/** The page session of a request; undefined for callers that keep the tokens themselves. Throws `CrossOriginPage`. */
export function pageSessionOf(
  { config }: { config: Config },
  { headers, cookies }: Pick<HttpCaller, 'headers' | 'cookies'>
): PageSession | undefined {
  const population = headers[sessionHeader]
  if (population === undefined) return undefined
  if (population !== 'client' && population !== 'staff') {
    throw InvalidFields({ message: 'X-Deskline-Session must be client or staff' })
  }
  if (!isFromHere(config, headers)) throw CrossOriginPage()
  const isSecure = (headers.origin ?? config.BASE_URL).startsWith('https:')
  return { population, isSecure, refreshToken: cookies()[cookieName(population, isSecure)] || undefined }
}

/** The tokens after a login or refresh: if the page asked for it, the refresh token goes into the cookie. */
export function tokensFor(
  services: Pick<Services, 'keys' | 'realClock'>,
  page: PageSession | undefined,
  population: Population,
  pair: TokenPair
): { tokens: TokenPair | Omit<TokenPair, 'refresh_token'>; cookies?: SetCookie[] } {
  if (!page) return { tokens: pair }
  const { refresh_token, ...tokens } = pair
  const own = { ...page, population }
  return { tokens, cookies: [cookie(own, refresh_token, refreshTokenSeconds), readerCookie(services, own, pair)] }
}

/** Deletes the cookie with a response. */
export function withoutSession(page: PageSession | undefined): { cookies?: SetCookie[] } {
  return page ? { cookies: [cookie(page, '', 0), readerCookieWith(page, '', 0)] } : {}
}

/** The cookies by which the help centre knows its reader (K10), staff before clients: HTTPS has a name that nobody else can set. */
export const readerCookieNames = (['staff', 'client'] as const).flatMap(population => [
  readerCookieName(population, true),
  readerCookieName(population, false)
])

/** It is good for reading articles and nothing else, and ends with the session. */
function readerCookie({ keys, realClock }: Pick<Services, 'keys' | 'realClock'>, page: PageSession, pair: TokenPair) {
  const now = realClock.now()
  const { session, population, account } = keys.verify('access', pair.token, now)!
  const token = keys.sign('help-reader', { session, population, account }, now, refreshTokenSeconds)
  return readerCookieWith(page, token, refreshTokenSeconds)
}

// Lax, since readers come from e-mails and search engines; it is sent to the pages of the help centre alone.
function readerCookieWith({ population, isSecure: secure }: PageSession, value: string, maxAge: number): SetCookie {
  const name = readerCookieName(population, secure)
  return { name, value, path: '/help', httpOnly: true, secure, sameSite: 'lax', maxAge }
}

function readerCookieName(population: Population, isSecure: boolean): string {
  return `${isSecure ? '__Secure-' : ''}deskline-help-${population}`
}

/** Deletes the cookie with an error. */
export function refusedSession(page: PageSession | undefined): { headers?: Record<string, string> } {
  return page ? { headers: { 'set-cookie': stringifySetCookie(cookie(page, '', 0)) } } : {}
}

/**
 * Browsers send the origin of a request (`Sec-Fetch-Site`, but only to trustworthy addresses) and of the page (`Origin`). A caller that
 * sends neither is no browser, and has only cookies that it was given.
 */
function isFromHere({ BASE_URL }: Config, headers: HttpCaller['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  if (headers.origin === undefined) return true
  const page = URL.parse(headers.origin)
  if (!page) return false
  return page.origin === new URL(BASE_URL).origin || page.host === URL.parse(`${page.protocol}//${headers.host}`)?.host
}

/** The cookie of a page's session that begins with a redirect. */
export function sessionCookie(
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  population: Population,
  refreshToken: string
): SetCookie {
  const page = { population, isSecure: BASE_URL.startsWith('https:'), refreshToken: undefined }
  return cookie(page, refreshToken, refreshTokenSeconds)
}

function cookie({ population, isSecure: secure }: PageSession, value: string, maxAge: number): SetCookie {
  const name = cookieName(population, secure)
  return { name, value, path: '/', httpOnly: true, secure, sameSite: 'strict', maxAge }
}

/** With the prefix, a browser accepts the cookie only from this very host, over TLS. */
function cookieName(population: Population, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}deskline-${population}`
}
