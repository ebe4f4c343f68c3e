import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { MailGone, restoreMail } from '../discard-mails.ts'
import { HeldMailNotFound } from '../held-mails.ts'

/** Restores an e-mail that was discarded within the last day, so that it is held again. The caller must see all tickets. */
export const restoreHeldMail = endpoint({
  path: '/api/admin/mail/held/restore',
  aliases: ['/api/admin/mail/held/:id/restore'],
  summary: 'Restore a discarded e-mail',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ id: Id() }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({ restored_id: Id() }),
  errors: [HeldMailNotFound, MailGone, Forbidden],
  async handle({ body, actor, caller, services }) {
    await restoreMail(services, actor, caller, body.id)
    return { message: 'E-mail held again', data: { restored_id: body.id } }
  }
})
