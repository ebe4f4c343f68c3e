import type { Services } from '../../core/services.ts'
import type { MailChannel } from '../../core/tables/mails.ts'
import { logIncoming } from '../../mail/log/log-incoming.ts'
import type { Digests } from './raw-digests.ts'

/** Why an e-mail was not taken at all. Of what was read and refused then, decide-mail.ts says why. */
type RefusalReason = 'too_large' | 'no_message' | 'unknown_recipient'

interface RefusedMail {
  via: MailChannel
  /** Of the envelope. */
  recipient?: string | undefined
  sender?: string | undefined
  /** As far as the message was read. */
  head?: Pick<Digests, 'sender' | 'subject' | 'sizeBytes'>
}

/** Logs an e-mail that is refused before it is stored: it stays visible that it came. */
export async function logRefused(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { via, recipient, sender, head }: RefusedMail,
  reason: RefusalReason
): Promise<void> {
  const mail = {
    outcome: 'refused',
    reason,
    via,
    sender: head?.sender ?? (sender || null),
    recipients: recipient ? [recipient] : [],
    subject: head?.subject ?? '',
    messageRef: null,
    sizeBytes: head?.sizeBytes ?? null,
    mailId: null
  } as const
  await logIncoming(db, mail, clock.now())
}

/** Strangers may try any number of addresses for nothing: a process logs so many of these in an hour. */
const maxAnHour = 500
const hourMilliseconds = 3_600_000

/** Logs what a mail server refuses before it has seen a message. What cannot be logged is refused all the same. */
export function refusalLog(services: Pick<Services, 'db' | 'clock' | 'realClock' | 'log'>) {
  let hour = 0
  let count = 0
  return (mail: RefusedMail, reason: RefusalReason): void => {
    const current = Math.floor(services.realClock.now().getTime() / hourMilliseconds)
    if (current !== hour) [hour, count] = [current, 0]
    if (++count > maxAnHour) return
    logRefused(services, mail, reason).catch(error =>
      services.log.warn({ err: error }, 'A refused e-mail could not be logged')
    )
  }
}
