import type { Config } from '../config.ts'
import { failure } from '../kit/errors.ts'
import type { AccessTokens } from '../platform/mail/access-token.ts'
import { openMailbox } from '../platform/mail/imap.ts'
import type { ImapAddress } from '../platform/mail/imap-address.ts'
import { MailboxFault } from '../platform/mail/mailbox-fault.ts'

export const MailboxNotFound = failure(404, 'mailbox_not_found', 'Mailbox not found')

/** Whether a mailbox can be used, in one sentence that names no secret. */
export interface Tried {
  isUsable: boolean
  sentence: string
}

/** The mailbox of IMAP_URL by that name. Throws `MailboxNotFound`. */
export function mailboxNamed({ IMAP_URL = [] }: Config, name: string): ImapAddress {
  const address = IMAP_URL.find(address => address.name === name)
  if (!address) throw MailboxNotFound()
  return address
}

/** Logs in and opens the folder; takes nothing and marks nothing. */
export async function tryMailbox(
  { MAIL_MAX_BYTES: maxBytes }: Pick<Config, 'MAIL_MAX_BYTES'>,
  address: ImapAddress,
  tokens: AccessTokens | undefined
): Promise<Tried> {
  const { user, folder, host } = address
  try {
    const mailbox = await openMailbox(address, { tokens, maxBytes })
    try {
      if (mailbox.isReadOnly)
        return { isUsable: false, sentence: `${host} lets ${user} read ${folder}, but change nothing there` }
      const { count } = await mailbox.unread()
      return {
        isUsable: true,
        sentence: `${host} lets ${user} in: ${folder} holds ${mailbox.total} mails, of which ${count} are unread`
      }
    } finally {
      await mailbox.close()
    }
  } catch (error) {
    if (error instanceof MailboxFault) return { isUsable: false, sentence: error.message }
    throw error
  }
}
