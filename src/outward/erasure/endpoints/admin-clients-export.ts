import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { downloadLinkSeconds } from '../../../core/limits.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { ClientNotFound } from '../../../people/clients/client-record.ts'
import { exportLink } from '../export-client.ts'
import { TicketsHidden } from '../hidden-tickets.ts'

/** All data stored about a client: a link to an archive of JSON and files, built while it is downloaded (beyond the contract). */
export const exportClient = endpoint({
  path: '/api/admin/clients/export',
  aliases: ['/api/admin/clients/:id/export'],
  summary: 'Export all data about a client (GDPR): create a signed download link',
  access: { anyOf: ['clients.edit'] },
  answersSecrets: true,
  body: Type.Object({ id: Id() }),
  data: Type.Object({
    url: OutputText('https://desk.example.com/exports/clients/1?expires=1795163611&signature=…'),
    expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
  }),
  errors: [ClientNotFound, TicketsHidden],
  async handle({ body, session, caller, services }) {
    return { message: 'Link signed', data: await exportLink(services, session, caller, body.id) }
  }
})
