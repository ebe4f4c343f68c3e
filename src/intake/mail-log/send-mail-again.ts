import { Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { Services } from '../../core/services.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { Id } from '../../kit/schemas.ts'
import { secondsAfter } from '../../lib/time.ts'
import { lockLogged, sentAgainTo } from '../../mail/log/log-outgoing.ts'
import { sendAgain } from '../../mail/outbox/send-again.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { requireRightToDecide } from '../mailbox/held-mails.ts'
import { requiredLoggedMail } from './logged-mail-detail.ts'

export const NotSendable = failure(409, 'not_sendable', 'This e-mail cannot be sent again')
export const JustSentAgain = failure(
  409,
  'just_sent_again',
  'This e-mail has just been sent again',
  Type.Object({ sent_id: Id(88_121) })
)

/** So long after it was sent again, the same is taken for a second press of the same button. */
const secondPressSeconds = 10

/**
 * Sends an e-mail again, as a new one, to the same recipient or to the address `to`. E-mails with codes and links are not kept, and what is queued goes
 * by itself. While the new one is on its way, and a moment longer, there is no second. Returns the id of the new row in the log. Throws `Forbidden`,
 * `LoggedMailNotFound`, `NotSendable`, `JustSentAgain`, and `InvalidFields` for an address of the desk itself.
 */
export async function sendMailAgain(
  services: Services,
  actor: StaffActor,
  caller: Origin,
  { id, to }: { id: number; to?: string | undefined }
): Promise<number> {
  requireRightToDecide(actor)
  const mail = await requiredLoggedMail(services.db, actor, id)
  if (mail.direction === 'in') throw NotSendable({ message: 'This e-mail came in: it can be processed again' })
  if (mail.is_secret)
    throw NotSendable({ message: 'This e-mail carried a code or a link, of which nothing is kept: request a new one' })
  if (to !== undefined && (await ownAddresses(services)).has(baseAddress(to)))
    throw InvalidFields({ message: `${to}: That is this desk.`, errors: ['to'] })
  return await act(services, { actor, caller }, async act => {
    await lockLogged(act.db, id)
    const since = secondsAfter(act.now, -secondPressSeconds)
    const again = await sentAgainTo(act.db, { id, recipient: to ?? mail.recipients, since })
    if (again !== undefined) throw JustSentAgain({ data: { sent_id: again } })
    const message = { messageId: mail.outbox_message_id ?? 0, logId: id, staffId: actor.id, to }
    const sent = mail.is_erased ? undefined : await sendAgain(services, act.db, message)
    if (sent === undefined)
      throw NotSendable({
        message:
          mail.outcome === 'queued' || mail.outcome === 'deferred'
            ? 'This e-mail has not left yet: it goes by itself'
            : 'The text of this e-mail is not kept any more'
      })
    act.happened({ kind: 'mail.sent_again', subject: { type: 'mail_log', id }, after: { log_id: sent } })
    return sent
  })
}
