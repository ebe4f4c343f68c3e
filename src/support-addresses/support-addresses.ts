import { domainToASCII } from 'node:url'
import { type Db, prepared } from '../db.ts'

/** An address under which the desk gets e-mails, and the public deptid of the department that they are for. */
export interface SupportAddress {
  address: string
  deptid: number
}

/** The addresses of the setting `mail_addresses`, in its order. */
export async function supportAddresses(db: Db): Promise<SupportAddress[]> {
  const [row] = await storedAddresses(db, {})
  return addressesIn(row?.value)
}

/** Those of the stored value of the setting. */
export function addressesIn(stored: unknown): SupportAddress[] {
  return Object.entries((stored ?? {}) as Record<string, number>).map(([address, deptid]) => ({ address, deptid }))
}

const storedAddresses = prepared(db =>
  db.selectFrom('desk_settings').where('name', '=', 'mail_addresses').select('value')
)

/**
 * The address without what stands behind a plus, in small letters, as it is looked up; however its name is quoted, its domain is written in
 * letters beyond ASCII, or a dot stands at its end.
 */
export function baseAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address.toLowerCase()
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/s.exec(address.slice(0, at)) ?? []
  const local = quoted?.replace(/\\(.)/gs, '$1') ?? address.slice(0, at)
  const domain = address.slice(at + 1).replace(/\.+$/, '')
  return `${local.replace(/\+.*$/s, '')}@${domainToASCII(domain) || domain}`.toLowerCase()
}
