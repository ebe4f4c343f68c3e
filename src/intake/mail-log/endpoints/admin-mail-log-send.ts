import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Email, Id } from '../../../kit/schemas.ts'
import { LoggedMailNotFound } from '../logged-mail-detail.ts'
import { JustSentAgain, NotSendable, sendMailAgain } from '../send-mail-again.ts'

/**
 * Sends an e-mail that went out again, as a new e-mail to the same recipient or to another address, `to`; the log of both says so. Not one with a code or
 * a link. While the new one is on its way, and for some seconds, asking again is refused with 409: it names the new one.
 */
export const sendLoggedMail = endpoint({
  path: '/api/admin/mail/log/send',
  aliases: ['/api/admin/mail/log/:id/send'],
  summary: 'Send an e-mail again',
  access: { anyOf: ['tickets.edit_status'] },
  about: {},
  status: 201,
  body: Type.Object({ id: Id(), to: Type.Optional(Email()) }),
  synonyms: { mail_id: 'id' },
  // `sent_id`: the new e-mail in the log.
  data: Type.Object({ id: Id(), sent_id: Id(88_121) }),
  errors: [LoggedMailNotFound, NotSendable, JustSentAgain, Forbidden],
  async handle({ body: { id, to }, actor, caller, services }) {
    const sentId = await sendMailAgain(services, actor, caller, { id, to })
    return { message: 'E-mail queued', data: { id, sent_id: sentId } }
  }
})
