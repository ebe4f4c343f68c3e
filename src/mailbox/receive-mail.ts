import type { Receipt } from './receipt.ts'
import { type MailServices, settleMail } from './settle-mail.ts'
import { type Incoming, storeMail } from './store-mail.ts'

/**
 * Takes a mail in by whatever way it came: stores it, settles it, and tells what became of it. Where it was there already it is a
 * duplicate, unless nobody has settled it yet: then that is done now. Throws `NoMessage` and `MessageTooLarge`, with nothing stored; what
 * else is thrown means: try again.
 */
export async function receiveMail(services: MailServices, incoming: Incoming): Promise<Receipt> {
  const { id } = await storeMail(services, incoming)
  const { receipt, isSettledHere } = await settleMail(services, id)
  // Of several who hand it over at once, one settles it and tells: it need not be who stored it.
  if (isSettledHere) return receipt
  const { reason: _, ...former } = receipt
  return { ...former, outcome: 'duplicate' }
}
