import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { discardMails } from '../discard-mails.ts'
import { HeldMailNotFound } from '../held-mails.ts'

/**
 * Discards up to 100 held e-mails. Each can be restored for a day; later its raw message is deleted. E-mails on which somebody else has decided
 * meanwhile are skipped. The caller must see all tickets.
 */
export const deleteHeldMails = endpoint({
  path: '/api/admin/mail/held/delete',
  summary: 'Discard held e-mails',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ ids: Type.Array(Id(), { minItems: 1, maxItems: 100 }) }),
  data: Type.Object({ deleted_ids: Type.Array(Id()) }),
  errors: [HeldMailNotFound, Forbidden],
  async handle({ body, actor, caller, services }) {
    const deleted_ids = await discardMails(services, actor, caller, body.ids)
    return { message: 'E-mails discarded', data: { deleted_ids } }
  }
})
