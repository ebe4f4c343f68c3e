import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { downloadLinkSeconds } from '../../../core/limits.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { OriginalNotFound } from '../../mailbox/original-mail.ts'
import { LoggedMailNotFound } from '../logged-mail-detail.ts'
import { rawLink } from '../raw-link.ts'

/** Creates a link with which a browser downloads the raw message of an e-mail that came in, for as long as it is kept. It ends with the session. */
export const linkRawMail = endpoint({
  path: '/api/admin/mail/log/raw-link',
  aliases: ['/api/admin/mail/log/:id/raw-link'],
  summary: 'Create a signed download link for the raw message of an e-mail of the log',
  access: { anyOf: ['tickets.view_all'] },
  answersSecrets: true,
  body: Type.Object({ id: Id() }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({
    url: OutputText('https://desk.example.com/uploads/mails/1.eml?session=staff.2.1&expires=1795163611&signature=…'),
    expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
  }),
  errors: [LoggedMailNotFound, OriginalNotFound, Forbidden],
  async handle({ body, session, services }) {
    return { message: 'Link signed', data: await rawLink(services, session, body.id) }
  }
})
