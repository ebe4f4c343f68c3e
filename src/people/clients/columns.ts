import { type TSchema, Type } from 'typebox'
import type { ClientRow } from '../../core/tables/clients.ts'
import { type Language, languages } from '../../core/wording/languages.ts'
import { Email, Name, Nullable, OutputText } from '../../kit/schemas.ts'

/**
 * Optional contact columns of a client, empty text if missing. A further column takes a line here, one in the table's type and its
 * migration; sign-up, import, updates, erasure and export follow from this list.
 */
const contact = {
  phone_number: { max: 30, example: '+14155550123' },
  company_name: { max: 150, example: 'Analytical Engines' },
  street_address: { max: 255, example: '12 St James Square' },
  street_address_2: { max: 255, example: 'Second floor' },
  city: { max: 100, example: 'London' },
  state: { max: 100, example: 'Greater London' },
  postcode: { max: 20, example: 'SW1Y 4JH' }
}

export type ContactColumn = keyof typeof contact

const contactColumns = Object.keys(contact) as ContactColumn[]

/** The columns that say who a client is and where to reach them, as the client and staff may change them. */
export const clientColumns = ['first_name', 'last_name', 'email', ...contactColumns] as const

export type ClientColumns = Pick<ClientRow, (typeof clientColumns)[number]>

/** Only those columns of a wider object. */
export function clientColumnsOf(given: ClientColumns): ClientColumns {
  return Object.fromEntries(clientColumns.map(name => [name, given[name]])) as ClientColumns
}

/** Contact columns of somebody without any. */
export const noContact = ofEach(() => '')

/** Who a client is: the fields without which there is no account. */
export const nameFields = {
  first_name: Name(100, 'Ada'),
  last_name: Name(100, 'Lovelace'),
  email: Email()
}

/** Contact fields in a request: none is required. */
export const contactFields = ofEach(({ max, example }) => Type.Optional(Name(max, example)))

/** The same in a change, where null empties a field. */
export const contactChanges = ofEach(({ max, example }) => Type.Optional(Nullable(Name(max, example))))

/** The language of e-mails to the client; null is the desk's language. */
export const ReaderLanguage = Type.Unsafe<Language | null>({
  type: ['string', 'null'],
  enum: [...languages, null],
  examples: ['de']
})

/** The same in a response. */
export const shownContact = ofEach(({ example }) => OutputText(example))

function ofEach<T extends TSchema | string>(make: (column: { max: number; example: string }) => T) {
  return Object.fromEntries(contactColumns.map(name => [name, make(contact[name])])) as Record<ContactColumn, T>
}
