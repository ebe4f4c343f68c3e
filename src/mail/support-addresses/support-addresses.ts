import { domainToASCII, domainToUnicode } from 'node:url'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** An address at which the desk receives e-mails, and the public deptid of its department. */
export interface SupportAddress {
  address: string
  deptid: number
}

/** The addresses of the setting `mail_addresses` and of connected mailboxes. */
export async function supportAddresses(db: Db): Promise<SupportAddress[]> {
  const [row] = await storedAddresses(db, {})
  return addressesIn(row?.addresses)
}

/** The addresses in the stored value of the setting. */
export function addressesIn(stored: unknown): SupportAddress[] {
  return Object.entries((stored ?? {}) as Record<string, number>).map(([address, deptid]) => ({ address, deptid }))
}

/** As in the setting `mail_addresses`; a connected mailbox knows its department itself. */
export const allAddresses = sql<Record<string, number>>`
  coalesce((select value from desk_settings where name = 'mail_addresses'), '{}')
    || coalesce((select jsonb_object_agg(address, deptid) from connected_mailboxes), '{}')`

const storedAddresses = prepared(db => db.selectNoFrom(allAddresses.as('addresses')))

/**
 * The normalized address for lookups: without its plus part, in lower case, with an unquoted local part, an ASCII domain (IDNA) and no dot at the
 * end.
 */
export function baseAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address.toLowerCase()
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/s.exec(address.slice(0, at)) ?? []
  const local = quoted?.replace(/\\(.)/gs, '$1') ?? address.slice(0, at)
  return addressKey(`${local.replace(/\+.*$/s, '')}${address.slice(at).replace(/\.+$/, '')}`)
}

/** The same for each way to write an address: e-mails have `xn--mnchen-3ya.example` where people type `münchen.example`. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase()
}

/** The address with its domain in the other way to write it; undefined if there is only one. */
export function otherSpelling(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const other = /\bxn--/.test(domain) ? domainToUnicode(domain) : domainToASCII(domain)
  return other && other !== domain ? `${address.slice(0, at + 1)}${other}` : undefined
}
