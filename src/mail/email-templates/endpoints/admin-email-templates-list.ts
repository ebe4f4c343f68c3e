import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { listEmailTemplates } from '../email-templates.ts'
import { TemplateInList } from '../schemas.ts'

/** Lists every e-mail that Deskline sends. */
export const listTemplates = endpoint({
  path: '/api/admin/email-templates/list',
  aliases: ['/api/admin/email-templates'],
  summary: 'List the e-mail templates',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ templates: Type.Array(TemplateInList) }),
  async handle({ services }) {
    return { message: 'The e-mails of the desk', data: { templates: await listEmailTemplates(services.db) } }
  }
})
