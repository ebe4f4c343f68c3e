import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { heldMailDetail } from '../held-mail-detail.ts'
import { HeldMailDetailView, heldMailDetailView } from '../held-mail-schemas.ts'
import { HeldMailNotFound } from '../held-mails.ts'

/** Shows an e-mail that is or was held: its text, or if it cannot be parsed the beginning of its raw message; and its ticket. */
export const showHeldMail = endpoint({
  path: '/api/admin/mail/held/detail',
  aliases: ['/api/admin/mail/held/:id', '/api/admin/mail/held/:id/detail'],
  summary: 'Show a held e-mail',
  access: { anyOf: ['tickets.view_all'] },
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({ mail: HeldMailDetailView }),
  errors: [HeldMailNotFound, Forbidden],
  async handle({ body, actor, services }) {
    const detail = await heldMailDetail(services, actor, body.id)
    return { message: 'Held e-mail', data: { mail: heldMailDetailView(detail) } }
  }
})
