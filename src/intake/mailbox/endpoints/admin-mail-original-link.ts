import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { downloadLinkSeconds } from '../../../core/limits.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { OriginalNotFound, originalLink } from '../original-mail.ts'

/** Creates a link with which a browser downloads the raw message of an e-mail of a ticket, or of a held one. It ends with the session. */
export const linkOriginal = endpoint({
  path: '/api/admin/mail/original-link',
  summary: 'Create a signed download link for the raw message of an e-mail, valid for some minutes',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  answersSecrets: true,
  body: Type.Object({ id: Id() }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({
    url: OutputText('https://desk.example.com/uploads/mails/1.eml?session=staff.2.1&expires=1795163611&signature=…'),
    expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
  }),
  errors: [OriginalNotFound],
  async handle({ body, session, services }) {
    return { message: 'Link signed', data: await originalLink(services, session, body.id) }
  }
})
