import type { Config } from '../../core/config.ts'
import { InvalidFields } from '../../kit/errors.ts'

/**
 * The page of a reset link: the one that the caller names, or else the configured one. Only http(s) is accepted, and in production only
 * configured origins: the link carries a token, and the caller may be anybody.
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

/** The page of a reset link for staff. */
export function staffResetPage(config: Pick<Config, 'RESET_URL' | 'STAFF_RESET_URL'>): URL {
  if (config.STAFF_RESET_URL) return new URL(config.STAFF_RESET_URL)
  const page = new URL(config.RESET_URL)
  page.search = [page.search.slice(1), 'population=staff'].filter(Boolean).join('&')
  return page
}

/** The page with `token` and `email` in its query. The rest of the query and the fragment stay as they are. */
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
