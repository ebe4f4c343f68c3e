import { type MailServices, processMail } from './process-mail.ts'
import { type Receipt, receiptOf } from './receipt.ts'
import { type Incoming, storeMail } from './store-mail.ts'

/**
 * Receives a mail from any channel: stores it, settles it, and returns the result. A mail that is there already is a duplicate, unless it is not
 * settled yet: then it is settled now. Throws `NoMessage` and `MessageTooLarge`, with nothing stored; any other error means: retry.
 */
export async function receiveMail(services: MailServices, incoming: Incoming): Promise<Receipt> {
  const stored = await storeMail(services, incoming)
  const isProcessedHere = await processMail(services, stored)
  const receipt = await receiptOf(services.db, stored.id)
  if (!receipt) throw new Error(`The mail ${stored.id} is not settled`)
  // If several callers deliver it at once, the one that settles it returns the result, which need not be the one that stored it.
  if (isProcessedHere) return receipt
  const { reason: _, ...former } = receipt
  return { ...former, outcome: 'duplicate' }
}
