import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, Nullable, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { OrganisationName } from '../../organisations/organisations.ts'
import { searchClients } from '../search-clients.ts'

const shown = 20

/**
 * Finds clients by a part of their name, e-mail address, company or phone number, to open a ticket for one of them. It returns only what is
 * needed to choose, and lists nobody without a search.
 */
export const pickClient = endpoint({
  path: '/api/admin/clients/picker',
  summary: 'Search a client to open a ticket for',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.String({ minLength: 2, maxLength: 255, examples: ['lovelace'], 'x-trim': true })
  }),
  data: Type.Object({
    count: Type.Integer(),
    total: Type.Integer(),
    clients: Type.Array(
      Type.Object({
        id: Id(),
        first_name: OutputText('Ada'),
        last_name: OutputText('Lovelace'),
        email: OutputText('ada@example.com'),
        company_name: OutputText('Analytical Engines'),
        is_active: Flag(),
        organisation: Nullable(OrganisationName)
      })
    )
  }),
  async handle({ body, services }) {
    const { clients, total } = await searchClients(services.db, body.search, { page: 1, limit: shown, offset: 0 })
    const found = clients.map(({ id, first_name, last_name, email, company_name, is_active, organisation }) => {
      return { id, first_name, last_name, email, company_name, is_active: bit(is_active), organisation }
    })
    return { message: 'Clients found', data: { count: found.length, total, clients: found } }
  }
})
