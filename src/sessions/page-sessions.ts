import { type SetCookie, stringifySetCookie } from 'cookie'
import type { Config } from '../config.ts'
import type { HttpCaller } from '../kit/caller.ts'
import { failure, InvalidFields } from '../kit/errors.ts'
import { refreshTokenSeconds } from '../limits.ts'
import type { Population } from '../tables/columns.ts'
import type { TokenPair } from './sessions.ts'

export const ForeignPage = failure(
  403,
  'foreign_page',
  'Only pages of the same origin may sign in with a cookie. Behind a proxy, BASE_URL must be set to that origin'
)

/**
 * How a page of ours keeps its session: the refresh token is in a cookie that no script reads. A page asks for that by the header
 * `X-Deskline-Session: client` or `staff`, which no other site can send. Each population has its own cookie, so that a customer and a
 * member of staff may be signed in in one browser.
 */
export interface PageSession {
  population: Population
  isSecure: boolean
  /** What the browser brought along. */
  refreshToken: string | undefined
}

const sessionHeader = 'x-deskline-session'

/** How the page that sends this keeps its session; undefined for whoever keeps the tokens itself. Throws `ForeignPage`. */
export function pageSessionOf(
  { config }: { config: Config },
  { headers, cookies }: Pick<HttpCaller, 'headers' | 'cookies'>
): PageSession | undefined {
  const population = headers[sessionHeader]
  if (population === undefined) return undefined
  if (population !== 'client' && population !== 'staff') {
    throw InvalidFields({ message: 'X-Deskline-Session must be client or staff' })
  }
  if (!isFromHere(config, headers)) throw ForeignPage()
  const isSecure = (headers.origin ?? config.BASE_URL).startsWith('https:')
  return { population, isSecure, refreshToken: cookies()[cookieName(population, isSecure)] || undefined }
}

/** The tokens of somebody who has signed in or goes on: where the page has asked for it, the refresh token goes into the cookie. */
export function tokensFor(
  page: PageSession | undefined,
  population: Population,
  pair: TokenPair
): { tokens: TokenPair | Omit<TokenPair, 'refresh_token'>; cookies?: SetCookie[] } {
  if (!page) return { tokens: pair }
  const { refresh_token, ...tokens } = pair
  return { tokens, cookies: [cookie({ ...page, population }, refresh_token, refreshTokenSeconds)] }
}

/** Takes the cookie away with an answer. */
export function withoutSession(page: PageSession | undefined): { cookies?: SetCookie[] } {
  return page ? { cookies: [cookie(page, '', 0)] } : {}
}

/** Takes it away with a refusal. */
export function refusedSession(page: PageSession | undefined): { headers?: Record<string, string> } {
  return page ? { headers: { 'set-cookie': stringifySetCookie(cookie(page, '', 0)) } } : {}
}

/**
 * Browsers say where a request comes from (`Sec-Fetch-Site`), but only to addresses that they trust, and which page sends it (`Origin`).
 * Whoever says neither is no browser, and has no cookie that was not given to it.
 */
function isFromHere({ BASE_URL }: Config, headers: HttpCaller['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  if (headers.origin === undefined) return true
  const page = URL.parse(headers.origin)
  if (!page) return false
  return page.origin === new URL(BASE_URL).origin || page.host === URL.parse(`${page.protocol}//${headers.host}`)?.host
}

function cookie({ population, isSecure: secure }: PageSession, value: string, maxAge: number): SetCookie {
  const name = cookieName(population, secure)
  return { name, value, path: '/', httpOnly: true, secure, sameSite: 'strict', maxAge }
}

/** With the prefix a browser takes the cookie from this very host alone, encrypted. */
function cookieName(population: Population, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}deskline-${population}`
}
