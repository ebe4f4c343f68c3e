import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable, OneOf, OutputText, Text } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { ClientNotFound } from '../../../people/clients/client-record.ts'
import { ClientErased } from '../../../people/clients/erased.ts'
import { eraseClient } from '../erase-client.ts'
import { TicketsHidden } from '../hidden-tickets.ts'

const modes = ['cascade', 'anonymize'] as const

/** Erases a client permanently, and lists every store that held data of them (beyond the contract). */
export const deleteClient = endpoint({
  path: '/api/admin/clients/delete',
  aliases: ['/api/admin/clients/:id/delete'],
  summary: 'Erase a client (GDPR): delete all data or anonymize it',
  access: { anyOf: ['clients.delete'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    mode: OneOf(modes),
    confirm_email: Text(255, 'ada@example.com'),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({
    deleted_id: Id(),
    mode: OneOf(modes),
    stores: Type.Array(
      Type.Object({
        store: OutputText('tickets'),
        removed: Type.Integer(),
        anonymized: Type.Integer(),
        kept: Type.Integer(),
        reason: Nullable(OutputText('What was written stays, whoever it may name'))
      })
    )
  }),
  errors: [ClientNotFound, TicketsHidden, ClientErased, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const stores = await eraseClient(services, actor, caller, body)
    const message = body.mode === 'cascade' ? 'Client deleted' : 'Client anonymized'
    return { message, data: { deleted_id: body.id, mode: body.mode, stores } }
  }
})
