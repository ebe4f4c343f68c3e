import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { testEmailTemplate } from '../preview-email-template.ts'
import { draftFields } from '../schemas.ts'
import { WordingRefused } from '../validated-wording.ts'

/** Sends an e-mail with example values to the admin who asks. */
export const testTemplate = endpoint({
  path: '/api/admin/email-templates/test',
  summary: 'Send a test e-mail with example values to yourself',
  access: 'admin',
  about: 'caller',
  body: Type.Object(draftFields),
  data: Type.Object({ email: OutputText('grace@example.com') }),
  errors: [WordingRefused, TooManyAttempts],
  async handle({ body, actor, services, caller }) {
    const email = await testEmailTemplate(services, actor, body, caller)
    return { message: 'A test is on its way to you', data: { email } }
  }
})
