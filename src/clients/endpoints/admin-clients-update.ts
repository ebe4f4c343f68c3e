import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Flag, Id, Nullable } from '../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../kit/versions.ts'
import { ClientNotFound } from '../client-record.ts'
import { ClientErased } from '../erased.ts'
import { ManagedClientView, managedClientView } from '../managed-client.ts'
import { contactFields, nameFields } from '../schemas.ts'
import { EmailTaken } from '../sign-up.ts'
import { updateClient as changeClient } from '../update-client.ts'

/** Changes a client; without a field it tells the client with its version. Staff set no password (beyond the contract). */
export const updateClient = endpoint({
  path: '/api/admin/clients/update',
  aliases: ['/api/admin/clients/:id/update'],
  summary: 'Change, deactivate or reactivate a client',
  access: { anyOf: ['clients.edit'] },
  body: Type.Object({
    id: Id(),
    first_name: Type.Optional(nameFields.first_name),
    last_name: Type.Optional(nameFields.last_name),
    email: Type.Optional(nameFields.email),
    // Null empties them.
    phone_number: Type.Optional(Nullable(contactFields.phone_number)),
    company_name: Type.Optional(Nullable(contactFields.company_name)),
    street_address: Type.Optional(Nullable(contactFields.street_address)),
    street_address_2: Type.Optional(Nullable(contactFields.street_address_2)),
    city: Type.Optional(Nullable(contactFields.city)),
    state: Type.Optional(Nullable(contactFields.state)),
    postcode: Type.Optional(Nullable(contactFields.postcode)),
    is_active: Type.Optional(Flag()),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ client: ManagedClientView }),
  errors: [ClientNotFound, EmailTaken, ClientErased, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const client = await changeClient(services, actor, caller, body)
    return { message: 'Client updated', data: { client: managedClientView(client) } }
  }
})
