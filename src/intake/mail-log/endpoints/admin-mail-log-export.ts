import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { downloadLinkSeconds } from '../../../core/limits.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { mailExportLink } from '../export-log.ts'
import { logFilterFields } from '../log-schemas.ts'

/** Creates a link to the matching rows of the mail log as a CSV file, newest first. The file is generated while it is downloaded. */
export const exportMailLog = endpoint({
  path: '/api/admin/mail/log/export',
  summary: 'Export the mail log as CSV: create a signed download link',
  access: { anyOf: ['tickets.view_all'] },
  answersSecrets: true,
  body: Type.Object(logFilterFields),
  data: Type.Object({
    url: OutputText('https://desk.example.com/exports/mail-log?expires=1795163611&signature=…'),
    expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
  }),
  errors: [Forbidden],
  async handle({ body, session, caller, services }) {
    return { message: 'Link signed', data: await mailExportLink(services, session, caller, body) }
  }
})
