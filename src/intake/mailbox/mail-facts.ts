import type { Authentication, InboundMailRow } from '../../core/tables/mails.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import type { Facts } from '../../tickets/conditions/judge-in-memory.ts'

/** What rules are told of an e-mail that arrives; of several recipients that of the envelope, else the first. */
export function mailFacts(
  { size_bytes: size }: Pick<InboundMailRow, 'size_bytes'>,
  { from, subject, headers, spamScore }: Pick<ReadMail, 'from' | 'subject' | 'headers' | 'spamScore'>,
  { recipients, authentication }: { recipients: readonly string[]; authentication: Pick<Authentication, 'verdict'> }
): Facts {
  return {
    'event.sender': from?.email ?? null,
    'event.recipient': recipients[0] === undefined ? null : baseAddress(recipients[0]),
    'event.subject': subject,
    'event.size': size,
    'event.verdict': authentication.verdict,
    'event.spam_score': spamScore ?? null,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`event.headers.${name}`, value]))
  }
}
