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

/** The address without what stands behind a plus, in small letters, as it is looked up. */
export function baseAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(0, at)).replace(/\+.*$/s, '')
  return `${local}${address.slice(Math.max(0, at))}`.toLowerCase()
}
