import type { Db } from '../../core/db.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { baseAddress } from '../support-addresses/support-addresses.ts'
import { connectedMailboxes } from './connected-mailboxes.ts'

/** The connected mailbox of an e-mail: the one from which it was fetched, else the first to which it was sent, whatever the way by which it came. */
export async function mailboxOfMail(
  db: Db,
  { mailbox_id }: { mailbox_id: number | null },
  recipients: readonly string[]
): Promise<ConnectedMailboxRow | undefined> {
  const mailboxes = await connectedMailboxes(db)
  if (mailboxes.length === 0) return undefined
  const keys = recipients.map(baseAddress)
  return (
    mailboxes.find(({ id }) => id === mailbox_id) ??
    keys.map(key => mailboxes.find(({ address_key }) => address_key === key)).find(each => each !== undefined)
  )
}
