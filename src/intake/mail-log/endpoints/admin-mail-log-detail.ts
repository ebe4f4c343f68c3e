import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { LoggedMailDetailView, loggedMailDetailView } from '../log-schemas.ts'
import { LoggedMailNotFound, loggedMailDetail } from '../logged-mail-detail.ts'

/** Shows an e-mail of the log step by step, with times and reasons, and with `raw: 1` the beginning of its raw message. */
export const showLoggedMail = endpoint({
  path: '/api/admin/mail/log/detail',
  aliases: ['/api/admin/mail/log/:id', '/api/admin/mail/log/:id/detail'],
  summary: 'Show what became of an e-mail, step by step',
  access: { anyOf: ['tickets.view_all'] },
  onlyReads: true,
  body: Type.Object({ id: Id(), raw: Type.Optional(BooleanInput(0)) }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({ mail: LoggedMailDetailView }),
  errors: [LoggedMailNotFound, Forbidden],
  async handle({ body, actor, services }) {
    const detail = await loggedMailDetail(services, actor, body.id, { withRaw: body.raw === 1 })
    return { message: 'E-mail', data: { mail: loggedMailDetailView(detail) } }
  }
})
