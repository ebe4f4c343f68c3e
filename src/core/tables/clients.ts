import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { CreatedAt, Id, TwoFactorColumns } from './columns.ts'

export interface ClientTables {
  clients: ClientTable
  client_counts: { shard: number; clients: number }
  email_changes: EmailChangeTable
}

/** A manager sees all tickets of the organisation. */
export type OrganisationRole = 'member' | 'manager'

interface ClientTable extends TwoFactorColumns {
  id: Id
  first_name: string
  last_name: string
  email: string
  phone_number: Generated<string>
  company_name: Generated<string>
  street_address: Generated<string>
  street_address_2: Generated<string>
  city: Generated<string>
  state: Generated<string>
  postcode: Generated<string>
  password: string
  is_active: Generated<boolean>
  profile_picture: string | null
  is_email_verified: Generated<boolean>
  /** The addresses that the client had proven before the present one, in lower case. */
  former_emails: Generated<string[]>
  is_phone_verified: Generated<boolean>
  ticket_count: Generated<number>
  /** The language of e-mails to the client; null is the desk's language. */
  language: 'en' | 'de' | null
  /** All e-mails about tickets, those that no person wrote, and of these the question how our help was. */
  ticket_emails: Generated<boolean>
  automatic_emails: Generated<boolean>
  rating_emails: Generated<boolean>
  unverified_emails_sent: Generated<number>
  organisation_id: number | null
  organisation_role: OrganisationRole | null
  /** Membership that came from the domain ends with the address; what staff have set stays. */
  organisation_joined_by: 'staff' | 'domain' | null
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
  /** Kept up to date by a trigger. */
  search_text: GeneratedAlways<string>
}
export type ClientRow = Selectable<ClientTable>
export type NewClient = Insertable<ClientTable>

interface EmailChangeTable {
  id: Id
  client_id: number
  former_email: string
  is_former_verified: Generated<boolean>
  /** A client's own change waits for the proof of the new address, one by staff for a confirmation. */
  changed_by: Generated<'client' | 'staff'>
  created_at: CreatedAt
}
