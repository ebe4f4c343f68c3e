import type { MailMessage } from '../platform/mail/mail.ts'
import { mailboxesIn } from '../platform/mail-reading/addresses.ts'
import { refusalIn } from '../platform/mail-reading/bounce.ts'
import { RefusedForGood } from '../platform/refused-for-good.ts'
import type { Services } from '../services.ts'
import { baseAddress, supportAddresses } from '../support-addresses/support-addresses.ts'
import { noteBounce, shownKinds, tellDelivery } from './tell-delivery.ts'
import type { Failed } from './undeliverable-addresses.ts'

/** Nothing is sent to this address any more: servers have said for good that nobody has it. */
export class AddressGivenUp extends RefusedForGood {
  readonly reason: string
  constructor(reason: string) {
    super(`Not sent: former e-mails to this address were not delivered (${reason})`)
    this.reason = reason
  }
}

/**
 * The e-mail with the wish to be told of its delivery: where it is one of those that the thread of a ticket shows, and its sender is an
 * address at which the desk gets e-mails, to which the reports come.
 */
export async function wishingReport(
  { db }: Pick<Services, 'db'>,
  kind: string,
  message: MailMessage
): Promise<MailMessage> {
  if (!shownKinds.includes(kind)) return message
  const sender = message.returnPath ?? message.from
  const senders = (typeof sender === 'string' ? mailboxesIn(sender).map(({ email }) => email) : [sender.address]).map(
    baseAddress
  )
  const addresses = (await supportAddresses(db)).map(({ address }) => baseAddress(address))
  return senders.some(sender => addresses.includes(sender)) ? { ...message, wantsReport: true } : message
}

type World = Pick<Services, 'db' | 'clock' | 'log'>

/**
 * Tells what became of an e-mail when it was handed over: taken, put off or refused. What only tells of it must never have an e-mail sent
 * again, so a fault here is logged.
 */
export async function followDelivery(
  services: World,
  ref: string,
  outcome: 'sent' | { error: unknown; isLast: boolean; isFirst: boolean }
): Promise<void> {
  try {
    if (outcome === 'sent') await tellDelivery(services, ref, 'sent')
    else if (outcome.isLast) await noteBounce(services, ref, failureOf(outcome.error))
    else if (outcome.isFirst) await tellDelivery(services, ref, 'delayed')
  } catch (error) {
    services.log.warn({ err: error }, 'The delivery state of an e-mail could not be recorded')
  }
}

/** The reason alone counts, not against the address: it is our own server that speaks, and it may be set up wrongly. */
function failureOf(error: unknown): Failed {
  if (error instanceof AddressGivenUp) return { status: undefined, reason: error.reason, isPermanent: true }
  if (error instanceof RefusedForGood) return refusalIn(error.message)
  return { status: undefined, reason: 'mail server not reached', isPermanent: false }
}
