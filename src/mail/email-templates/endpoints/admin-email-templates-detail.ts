import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { emailTemplate } from '../email-templates.ts'
import { EmailTemplateView, whichTemplate } from '../schemas.ts'

/** Shows an e-mail in one language: its text, its default text, and its placeholders. */
export const showTemplate = endpoint({
  path: '/api/admin/email-templates/detail',
  summary: 'Show an e-mail template in one language, with its placeholders',
  access: 'admin',
  onlyReads: true,
  body: Type.Object(whichTemplate),
  data: Type.Object({ template: EmailTemplateView }),
  async handle({ body, services }) {
    return { message: 'The e-mail', data: { template: await emailTemplate(services.db, body) } }
  }
})
