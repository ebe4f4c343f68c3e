import type { Address } from '../addresses.ts'

/** The page that was requested before the sign-in; only a page of the console. */
export function returnAddress(next: string | undefined): Address {
  const own = next?.replace(/^\/desk(?=\/|$)/, '')
  return own && /^\/(?![/\\])/.test(own) && !own.startsWith('/sign-in') ? (own as Address) : '/'
}
