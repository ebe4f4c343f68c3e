import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, OneOf, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { ClientNotFound, clientRecord, clientRecordView } from '../../../people/clients/client-record.ts'
import { clientViewDenied } from '../../../people/clients/client-view-denied.ts'
import { OrganisationName } from '../../../people/organisations/organisations.ts'
import { Role } from '../../../people/organisations/people.ts'
import { Priority, Status, TicketNumber } from '../../ticket/schemas.ts'

/** One client with its recent tickets (contract: POST /api/admin/clients/detail). */
export const showClient = endpoint({
  path: '/api/admin/clients/detail',
  aliases: ['/api/admin/clients/:id'],
  summary: 'Show a client and its recent tickets',
  access: { anyOf: ['clients.view'] },
  onlyReads: true,
  forbidden: clientViewDenied,
  body: Type.Object({ id: Id() }),
  data: Type.Object({
    client: Type.Object({
      id: Id(),
      first_name: OutputText('Ada'),
      last_name: OutputText('Lovelace'),
      email: OutputText('ada@example.com'),
      company_name: OutputText('Analytical Engines'),
      street_address: OutputText('12 St James Square'),
      city: OutputText('London'),
      state: OutputText('Greater London'),
      postcode: OutputText('SW1Y 4JH'),
      role: OneOf(['client']),
      is_active: Flag(),
      is_email_verified: Flag(),
      is_phone_verified: Flag(),
      // Of who belongs to one.
      organisation: Type.Optional(OrganisationName),
      organisation_role: Type.Optional(Role)
    }),
    tickets: Type.Array(
      Type.Object({
        id: Id(),
        ticket_number: TicketNumber,
        subject: OutputText('The printer is on fire'),
        status: Status,
        priority: Priority,
        created_at: Timestamp()
      })
    )
  }),
  errors: [ClientNotFound],
  async handle({ body, actor, services }) {
    return { message: 'Client', data: clientRecordView(await clientRecord(services.db, actor, body.id)) }
  }
})
