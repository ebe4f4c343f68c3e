import type { Authentication, InboundMailRow } from '../../core/tables/mails.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import type { Facts } from '../../tickets/conditions/judge-in-memory.ts'

/** What rules are told of an e-mail that arrives. `own`: the addresses of the desk. */
export function mailFacts(
  { size_bytes: size }: Pick<InboundMailRow, 'size_bytes'>,
  { from, subject, headers, spamScore }: Pick<ReadMail, 'from' | 'subject' | 'headers' | 'spamScore'>,
  {
    recipients,
    own,
    authentication
  }: {
    recipients: readonly string[]
    own: ReadonlySet<string>
    authentication: Pick<Authentication, 'verdict'>
  }
): Facts {
  const sender = from?.email ?? null
  return {
    'event.sender': sender?.toLowerCase() ?? null,
    'event.recipient': recipientFact(recipients, own),
    'event.subject': subject,
    'event.size': size,
    'event.verdict': authentication.verdict,
    'event.spam_score': spamScore ?? null,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`event.headers.${name}`, value]))
  }
}

/** The address to which an e-mail came: the first of the desk's own, wherever others stand, else the first. */
export function recipientFact(recipients: readonly string[], own: ReadonlySet<string>): string | null {
  const addresses = recipients.map(baseAddress)
  return addresses.find(address => own.has(address)) ?? addresses[0] ?? null
}
