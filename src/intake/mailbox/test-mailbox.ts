import type { Config } from '../../core/config.ts'
import { MailboxNotFound } from '../../mail/mailboxes/connected-mailboxes.ts'
import type { AccessTokens } from '../../platform/mail/access-token.ts'
import { openMailbox } from '../../platform/mail/imap.ts'
import type { ImapAddress } from '../../platform/mail/imap-address.ts'
import { MailboxFault, type MailboxReason } from '../../platform/mail/mailbox-fault.ts'

/** Whether a mailbox can be used: one sentence without secrets, and the same in machine-readable form. */
export type MailboxTest = { sentence: string } & (
  | { isUsable: true; mails: number; unread: number }
  | { isUsable: false; reason: MailboxReason; said?: string | undefined }
)

/** The mailbox of IMAP_URL with that name. Throws `MailboxNotFound`. */
export function mailboxNamed({ IMAP_URL = [] }: Config, name: string): ImapAddress {
  const address = IMAP_URL.find(address => address.name === name)
  if (!address) throw MailboxNotFound()
  return address
}

/** Logs in and opens the folder; fetches and marks nothing. */
export async function checkMailbox(
  { MAIL_MAX_BYTES: maxBytes }: Pick<Config, 'MAIL_MAX_BYTES'>,
  address: ImapAddress,
  tokens: AccessTokens | undefined
): Promise<MailboxTest> {
  const { user, folder, host } = address
  try {
    const mailbox = await openMailbox(address, { tokens, maxBytes })
    try {
      if (mailbox.isReadOnly)
        return {
          isUsable: false,
          reason: 'read_only',
          sentence: `${host} lets ${user} read ${folder}, but change nothing there`
        }
      const { count } = await mailbox.unread()
      return {
        isUsable: true,
        mails: mailbox.total,
        unread: count,
        sentence: `${host} lets ${user} in: ${folder} holds ${mailbox.total} mails, of which ${count} are unread`
      }
    } finally {
      await mailbox.close()
    }
  } catch (error) {
    if (error instanceof MailboxFault) {
      const { reason, said, message } = error
      return { isUsable: false, reason, said, sentence: message }
    }
    throw error
  }
}
