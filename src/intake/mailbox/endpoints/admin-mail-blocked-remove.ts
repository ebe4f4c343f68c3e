import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { BlockedSenderNotFound, unblockSender } from '../blocked-senders.ts'

/** Unblocks a sender: new e-mails are accepted again, dropped ones are not restored. The caller must see all tickets. */
export const removeBlockedSender = endpoint({
  path: '/api/admin/mail/blocked/remove',
  aliases: ['/api/admin/mail/blocked/:id/remove'],
  summary: 'Unblock a sender of e-mails',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ id: Id() }),
  data: Type.Object({ removed_id: Id() }),
  errors: [BlockedSenderNotFound, Forbidden],
  async handle({ body, actor, caller, services }) {
    await unblockSender(services, actor, caller, body.id)
    return { message: 'Sender unblocked', data: { removed_id: body.id } }
  }
})
