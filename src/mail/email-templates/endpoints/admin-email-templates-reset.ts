import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { resetEmailTemplate } from '../change-email-templates.ts'
import { EmailTemplateView, whichTemplate } from '../schemas.ts'

/** Resets an e-mail in one language to its default text. */
export const resetTemplate = endpoint({
  path: '/api/admin/email-templates/reset',
  summary: 'Reset an e-mail template in one language to its default',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ ...whichTemplate, expected_version: ExpectedVersion }),
  data: Type.Object({ template: EmailTemplateView }),
  errors: [VersionConflict],
  async handle({ body, actor, services, caller }) {
    const template = await resetEmailTemplate(services, actor, body, caller)
    return { message: 'The e-mail says again what it says by default', data: { template } }
  }
})
