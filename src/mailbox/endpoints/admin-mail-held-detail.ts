import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Forbidden } from '../../kit/errors.ts'
import { Id } from '../../kit/schemas.ts'
import { heldMailDetail } from '../held-mail-detail.ts'
import { HeldMailDetailView, heldMailDetailView } from '../held-mail-schemas.ts'
import { HeldMailNotFound } from '../held-mails.ts'

/** What an e-mail says that is held, or was: as far as it can be read, else how its raw text begins; and where it would have gone. */
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
