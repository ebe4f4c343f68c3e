import type { ClientRow } from '../tables/clients.ts'

/** What a client may leave out; it is the empty text then. */
export const optionalClientColumns = [
  'phone_number',
  'company_name',
  'street_address',
  'street_address_2',
  'city',
  'state',
  'postcode'
] as const

/** The columns that say who a client is and where to reach them, as the client and staff may change them. */
export const clientColumns = ['first_name', 'last_name', 'email', ...optionalClientColumns] as const

export type ClientColumns = Pick<ClientRow, (typeof clientColumns)[number]>

/** Those columns alone, of something that has more. */
export function clientColumnsOf(given: ClientColumns): ClientColumns {
  return Object.fromEntries(clientColumns.map(name => [name, given[name]])) as ClientColumns
}
