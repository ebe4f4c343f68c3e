import type { Db } from '../../core/db.ts'
import type { ConnectedMailboxRow, InboundMailRow } from '../../core/tables/mails.ts'
import { connectedMailboxes } from '../../mail/mailboxes/connected-mailboxes.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'

/** The connected mailbox of an e-mail: the one from which it was fetched, else the first to which it was sent, whatever the way by which it came. */
export async function mailboxOfMail(
  db: Db,
  { mailbox_id }: Pick<InboundMailRow, 'mailbox_id'>,
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
