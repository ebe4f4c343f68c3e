import type { Config } from '../config.ts'
import { InvalidFields } from '../kit/errors.ts'

/**
 * The page that a reset link leads to: the one the caller names, or else the configured one. Anything but http(s) is
 * refused, and in production whatever is not of a configured origin: the link goes to a stranger, with a token in it.
 */
export function resetPage(config: Config, redirectUrl?: string): URL {
  const configured = new URL(config.RESET_URL)
  if (redirectUrl === undefined) return configured

  const page = URL.parse(redirectUrl)
  if (!page || !/^https?:$/.test(page.protocol) || page.username || page.password) {
    throw refused('redirect_url must be an address that begins with http:// or https://')
  }
  if (config.production && ![configured.origin, ...config.RESET_URL_ORIGINS].includes(page.origin)) {
    throw refused('redirect_url leads to a site that this service does not send people to')
  }
  return page
}

/** The page that a reset link of staff leads to. */
export function staffResetPage(config: Pick<Config, 'RESET_URL' | 'STAFF_RESET_URL'>): URL {
  if (config.STAFF_RESET_URL) return new URL(config.STAFF_RESET_URL)
  const page = new URL(config.RESET_URL)
  page.search = [page.search.slice(1), 'population=staff'].filter(Boolean).join('&')
  return page
}

/** The page with `token` and `email` in its query. Whatever else is there and its fragment stay as they are. */
export function resetLink(page: URL, token: string, email: string): string {
  const link = new URL(page)
  const own = link.search.slice(1).split('&')
  const kept = own.filter(pair => pair !== '' && !/^(token|email)(=|$)/.test(pair))
  link.search = [...kept, `token=${encodeURIComponent(token)}`, `email=${encodeURIComponent(email)}`].join('&')
  return link.href
}

function refused(message: string) {
  return InvalidFields({ message, errors: ['redirect_url'] })
}
