import { domainToASCII, domainToUnicode } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
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

/** Those from which e-mails may leave: a mailbox that is being set up, never turned on, has not shown that its server sends. */
export async function sendingAddresses(db: Db): Promise<SupportAddress[]> {
  const [row] = await storedSendingAddresses(db, {})
  return addressesIn(row?.addresses)
}

/** As in the setting `mail_addresses`; a connected mailbox knows its department itself. */
const allAddresses = withMailboxes(sql`true`)

/** The same without mailboxes that are being set up. */
export const addressesThatSend = withMailboxes(sql`smtp is null or is_active or sent_at is not null`)

function withMailboxes(which: RawBuilder<unknown>) {
  return sql<Record<string, number>>`
    coalesce((select value from desk_settings where name = 'mail_addresses'), '{}')
      || coalesce((select jsonb_object_agg(address, deptid) from connected_mailboxes where ${which}), '{}')`
}

const storedAddresses = prepared(db => db.selectNoFrom(allAddresses.as('addresses')))
const storedSendingAddresses = prepared(db => db.selectNoFrom(addressesThatSend.as('addresses')))

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
  const labels = labelsOf(address).map(({ ascii }) => ascii)
  return `${address.slice(0, at + 1).toLowerCase()}${labels.join('.')}`
}

/** The address with its domain in each other way to write it; none if there is only one. */
export function otherSpellings(address: string): string[] {
  const labels = labelsOf(address)
  const isMixed = labels.filter(({ ascii, unicode }) => ascii !== unicode).length <= maxMixedLabels
  const domains = isMixed
    ? labels.reduce<string[]>(
        (begun, { ascii, unicode }) =>
          [...new Set([ascii, unicode])].flatMap(label => begun.map(before => (before ? `${before}.${label}` : label))),
        ['']
      )
    : [labels.map(({ ascii }) => ascii).join('.'), labels.map(({ unicode }) => unicode).join('.')]
  const at = address.lastIndexOf('@')
  const own = address.slice(at + 1).toLowerCase()
  return domains.filter(domain => domain !== own).map(domain => `${address.slice(0, at + 1)}${domain}`)
}

/** The address in each way to write its domain, the given one first. */
export function allSpellings(address: string): string[] {
  return [address, ...otherSpellings(address)]
}

/** Of a domain with more labels of other letters only the pure ways are considered. */
const maxMixedLabels = 3

/**
 * The labels of the domain in both ways, in lower case. What does not read the same in both stays as it is: the parser of URLs ends a domain at "/" and
 * unfolds "ｂank", so that a stranger's became somebody else's.
 */
function labelsOf(address: string): { ascii: string; unicode: string }[] {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domain.split('.').map(label => {
    const [ascii, unicode] = [domainToASCII(label), domainToUnicode(label)]
    const isBoth = ascii.startsWith('xn--') && (label === ascii || label.normalize('NFC') === unicode)
    return isBoth ? { ascii, unicode } : { ascii: label, unicode: label }
  })
}
