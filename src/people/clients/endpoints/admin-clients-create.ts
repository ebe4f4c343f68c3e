import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { membershipErrors, membershipFields } from '../../organisations/membership.ts'
import { inviteClient } from '../../reset/invite-client.ts'
import { contactFields, nameFields, ReaderLanguage } from '../columns.ts'
import { ManagedClientView, managedClientView } from '../managed-client.ts'
import { EmailTaken } from '../sign-up.ts'

/** Opens an account without a password: an e-mail with a link invites the client to choose one (beyond the contract). */
export const createClient = endpoint({
  path: '/api/admin/clients/create',
  summary: 'Create a client account and send an invitation',
  access: { anyOf: ['clients.create'] },
  about: { clients: ['client.id'] },
  // The organisation: only admins.
  body: Type.Object({
    ...nameFields,
    ...contactFields,
    language: Type.Optional(ReaderLanguage),
    ...membershipFields
  }),
  status: 201,
  data: Type.Object({ client: ManagedClientView }),
  errors: [EmailTaken, ...membershipErrors],
  async handle({ body, actor, caller, services }) {
    const client = await inviteClient(services, actor, caller, body)
    return { message: 'Client created and invited by e-mail', data: { client: managedClientView(client) } }
  }
})
