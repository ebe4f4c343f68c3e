import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { resetTokenSeconds } from '../../../core/limits.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { sendResetFor } from '../../reset/send-reset-for.ts'
import { ClientNotFound } from '../client-record.ts'
import { EmailUnconfirmed } from '../email-changes.ts'
import { ClientErased } from '../erased.ts'

/** E-mails a client a password reset link, which staff do not see (beyond the contract). */
export const sendClientReset = endpoint({
  path: '/api/admin/clients/send_reset',
  aliases: ['/api/admin/clients/send-reset', '/api/admin/clients/:id/send_reset'],
  summary: 'E-mail a client a password reset link',
  access: { anyOf: ['clients.edit'] },
  about: { clients: ['id'] },
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({
    email: OutputText('ada@example.com'),
    expires_in: Type.Integer({ examples: [resetTokenSeconds] })
  }),
  errors: [ClientNotFound, ClientErased, VersionConflict, TooManyAttempts, EmailUnconfirmed],
  async handle({ body, session, caller, services }) {
    const { email, expiresInSeconds } = await sendResetFor(services, session, caller, body)
    return { message: 'The link has been sent by e-mail', data: { email, expires_in: expiresInSeconds } }
  }
})
