import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { ClientNotFound } from '../client-record.ts'
import { nameFields } from '../columns.ts'
import { confirmEmail, EmailConfirmed, OtherEmail } from '../confirm-email.ts'
import { ManagedClientView, managedClientView } from '../managed-client.ts'

/** Allows reset links and codes to the address again; both addresses are told who confirmed it (beyond the contract). */
export const confirmClientEmail = endpoint({
  path: '/api/admin/clients/confirm-email',
  aliases: ['/api/admin/clients/:id/confirm-email'],
  summary: 'Confirm a client’s changed e-mail address',
  access: 'admin',
  about: { clients: ['id'] },
  body: Type.Object({ id: Id(), email: nameFields.email, expected_version: ExpectedVersion }),
  data: Type.Object({ client: ManagedClientView }),
  errors: [ClientNotFound, EmailConfirmed, OtherEmail, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const client = await confirmEmail(services, actor, caller, body)
    return { message: 'The e-mail address is confirmed', data: { client: managedClientView(client) } }
  }
})
