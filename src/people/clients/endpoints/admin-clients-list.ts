import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Flag, Id, OneOf, OutputText, Text, Timestamp } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { OrganisationName } from '../../organisations/organisations.ts'
import { clientViewDenied } from '../client-view-denied.ts'
import { listedClientView, searchClients } from '../search-clients.ts'

const limits = { fallback: 20, max: 100 }

/** The clients, newest first (contract: POST /api/admin/clients/list; decisions 26 and 33). */
export const listClients = endpoint({
  path: '/api/admin/clients/list',
  aliases: ['/api/admin/clients'],
  summary: 'List and search the clients',
  access: { anyOf: ['clients.view'] },
  onlyReads: true,
  forbidden: clientViewDenied,
  body: Type.Object({
    search: Type.Optional(Text(255, 'lovelace')),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    clients: Type.Array(
      Type.Object({
        id: Id(),
        first_name: OutputText('Ada'),
        last_name: OutputText('Lovelace'),
        email: OutputText('ada@example.com'),
        company_name: OutputText('Analytical Engines'),
        phone_number: OutputText('+14155550123'),
        role: OneOf(['client']),
        is_active: Flag(),
        is_email_verified: Flag(),
        is_phone_verified: Flag(),
        // Of who belongs to one.
        organisation: Type.Optional(OrganisationName),
        created_at: Timestamp()
      })
    )
  }),
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { clients, total } = await searchClients(services.db, body.search, page)
    return {
      message: 'Clients',
      data: { ...paged(clients, total, page), clients: clients.map(listedClientView) }
    }
  }
})
