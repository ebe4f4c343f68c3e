import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { ClientNotFound } from '../client-record.ts'
import { ManagedClientView, managedClientView } from '../managed-client.ts'
import { NoTwoFactor, resetTwoFactor } from '../reset-two-factor.ts'

/** Turns off two-factor authentication for a client who has lost it; the reason is kept (beyond the contract). */
export const resetClientTwoFactor = endpoint({
  path: '/api/admin/clients/reset_2fa',
  aliases: ['/api/admin/clients/reset-2fa', '/api/admin/clients/:id/reset_2fa'],
  summary: 'Turn a client’s two-factor authentication off',
  access: 'admin',
  signedInOnly: true,
  about: { clients: ['id'] },
  body: Type.Object({
    id: Id(),
    reason: Text(255, 'Lost the phone; known by voice and customer number'),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ client: ManagedClientView }),
  errors: [ClientNotFound, NoTwoFactor, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const client = await resetTwoFactor(services, actor, caller, body)
    return { message: 'Two-factor authentication is off', data: { client: managedClientView(client) } }
  }
})
