import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { membershipErrors, membershipFields } from '../../organisations/membership.ts'
import { ClientNotFound } from '../client-record.ts'
import { contactChanges, nameFields, ReaderLanguage } from '../columns.ts'
import { ClientErased } from '../erased.ts'
import { ManagedClientView, managedClientView } from '../managed-client.ts'
import { EmailTaken } from '../sign-up.ts'
import { updateClient as changeClient } from '../update-client.ts'

/** Changes a client; without fields it returns the client with its version. Staff cannot set passwords (beyond the contract). */
export const updateClient = endpoint({
  path: '/api/admin/clients/update',
  aliases: ['/api/admin/clients/:id/update'],
  summary: 'Change, deactivate or reactivate a client',
  access: { anyOf: ['clients.edit'] },
  about: { clients: ['id'] },
  body: Type.Object({
    id: Id(),
    first_name: Type.Optional(nameFields.first_name),
    last_name: Type.Optional(nameFields.last_name),
    email: Type.Optional(nameFields.email),
    ...contactChanges,
    language: Type.Optional(ReaderLanguage),
    is_active: Type.Optional(Flag()),
    // Only admins.
    ...membershipFields,
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ client: ManagedClientView }),
  errors: [ClientNotFound, EmailTaken, ClientErased, VersionConflict, ...membershipErrors],
  async handle({ body, actor, caller, services }) {
    const client = await changeClient(services, actor, caller, body)
    return { message: 'Client updated', data: { client: managedClientView(client) } }
  }
})
