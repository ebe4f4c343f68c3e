import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateEmailTemplate } from '../change-email-templates.ts'
import { EmailTemplateView, Subject, Text, whichTemplate } from '../schemas.ts'
import { WordingRefused } from '../validated-wording.ts'

/** Changes the text of an e-mail in one language. */
export const updateTemplate = endpoint({
  path: '/api/admin/email-templates/update',
  summary: 'Change an e-mail template in one language',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ ...whichTemplate, subject: Subject, text: Text, expected_version: ExpectedVersion }),
  data: Type.Object({ template: EmailTemplateView }),
  errors: [WordingRefused, VersionConflict],
  async handle({ body, actor, services, caller }) {
    return { message: 'E-mail changed', data: { template: await updateEmailTemplate(services, actor, body, caller) } }
  }
})
