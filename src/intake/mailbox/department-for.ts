import { type Db, prepared } from '../../core/db.ts'
import type { InboundMailRow } from '../../core/tables/mails.ts'
import { baseAddress, supportAddresses } from '../../mail/support-addresses/support-addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'

/** All addresses to which a mail was sent: first the envelope recipient, then those in its headers. */
export function recipientsOf(
  { envelope_recipient }: Pick<InboundMailRow, 'envelope_recipient'>,
  { deliveredTo, to, cc }: Pick<ReadMail, 'deliveredTo' | 'to' | 'cc'>
): string[] {
  return [
    ...(envelope_recipient ? [envelope_recipient] : []),
    ...[...deliveredTo, ...to, ...cc].map(({ email }) => email)
  ]
}

/** The public deptid of the department that a rule names, else of that with one of these addresses, else the first; it is active. */
export async function departmentFor(db: Db, recipients: readonly string[], byRule?: number): Promise<number> {
  const byAddress = new Map((await supportAddresses(db)).map(({ address, deptid }) => [baseAddress(address), deptid]))
  const ofAddresses = recipients.map(baseAddress).flatMap(address => byAddress.get(address) ?? [])
  const wanted = byRule === undefined ? ofAddresses : [byRule, ...ofAddresses]
  const active = await activeDepartments(db, {})
  const found = wanted.find(deptid => active.some(department => department.deptid === deptid)) ?? active[0]?.deptid
  if (found === undefined) throw new Error('No department is active')
  return found
}

const activeDepartments = prepared(db =>
  db.selectFrom('departments').where('is_active', '=', true).select('deptid').orderBy('deptid')
)
