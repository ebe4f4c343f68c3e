import type { Services } from '../../core/services.ts'
import type { MailMessage } from '../../platform/mail/mail.ts'
import { mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { signedAddress } from '../support-addresses/signed-address.ts'
import { baseAddress, supportAddresses } from '../support-addresses/support-addresses.ts'
import { shownKinds } from './delivery-state.ts'

/**
 * Gives an e-mail its own signed return address, where reports about its delivery are believed: the support address that sends it, with a key.
 * If the desk receives no mail at the sender's address, MAIL_FROM gets the reports as they come. A report of success (DSN) is requested if the
 * desk would receive it, and a ticket's thread shows it.
 */
export async function withReturnAddress(
  { db, keys, config }: Pick<Services, 'db' | 'keys' | 'config'>,
  { id, kind }: { id: number; kind: string },
  message: MailMessage
): Promise<MailMessage> {
  const usual = addressOf(config.MAIL_FROM)
  const sender = addressOf(message.from)
  const own = (await supportAddresses(db)).map(({ address }) => baseAddress(address))
  if (!own.includes(baseAddress(sender))) return sender === usual ? message : { ...message, returnPath: usual }
  return {
    ...message,
    returnPath: signedAddress(keys, 'email', id, sender),
    otherReturnPath: usual,
    wantsReport: shownKinds.includes(kind)
  }
}

function addressOf(sender: MailMessage['from']): string {
  return typeof sender === 'string' ? (mailboxesIn(sender)[0]?.email ?? sender) : sender.address
}
