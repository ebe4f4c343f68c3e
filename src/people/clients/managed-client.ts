import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { organisationOfClient } from '../organisations/name-of-client.ts'
import { OrganisationName } from '../organisations/organisations.ts'
import { Role } from '../organisations/people.ts'
import { ClientNotFound } from './client-record.ts'
import { clientColumns, ReaderLanguage, shownContact } from './columns.ts'

/** A client as shown to staff who may change it. */
export type ManagedClient = Pick<ClientRow, (typeof columns)[number]> & {
  is_email_confirmed: boolean
  organisation: { id: number; name: string } | null
}

/** The client with that id. Throws `ClientNotFound`. */
export async function managedClient(db: Db, id: number): Promise<ManagedClient> {
  const [client] = await byId(db, { id })
  if (!client) throw ClientNotFound()
  return client
}

/** The same, locked until the transaction `db` ends; see `lockClient`. */
export async function lockedClient(db: Db, id: number): Promise<ManagedClient> {
  const [client] = await byIdLocked(db, { id })
  if (!client) throw ClientNotFound()
  return client
}

export const ManagedClientView = Type.Object({
  id: Id(),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  email: OutputText('ada@example.com'),
  ...shownContact,
  language: ReaderLanguage,
  role: OneOf(['client']),
  is_active: Flag(),
  two_factor_enabled: Flag(0),
  is_email_verified: Flag(),
  is_phone_verified: Flag(0),
  // 0 while the address that staff have given the client is unconfirmed.
  is_email_confirmed: Flag(),
  organisation: Nullable(OrganisationName),
  // A manager sees all tickets of the organisation, once the e-mail address is proven.
  organisation_role: Nullable(Role),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Version
})

export function managedClientView({ organisation_id: _, ...client }: ManagedClient): Static<typeof ManagedClientView> {
  return {
    ...client,
    role: 'client',
    is_active: bit(client.is_active),
    two_factor_enabled: bit(client.two_factor_enabled),
    is_email_verified: bit(client.is_email_verified),
    is_phone_verified: bit(client.is_phone_verified),
    is_email_confirmed: bit(client.is_email_confirmed),
    created_at: timestamp(client.created_at),
    updated_at: timestamp(client.updated_at)
  }
}

const columns = [
  'id',
  ...clientColumns,
  'language',
  'is_active',
  'two_factor_enabled',
  'is_email_verified',
  'is_phone_verified',
  'organisation_id',
  'organisation_role',
  'created_at',
  'updated_at',
  'version'
] as const

const byId = prepared((db, p: { id: number }) => clientAt(db, p.id))

const byIdLocked = prepared((db, p: { id: number }) => clientAt(db, p.id).forNoKeyUpdate())

function clientAt(db: Db, id: number) {
  return db
    .selectFrom('clients')
    .where('id', '=', id)
    .select(columns)
    .select(organisationOfClient.as('organisation'))
    .select(
      sql<boolean>`not exists (select from email_changes where email_changes.client_id = clients.id and changed_by = 'staff')`.as(
        'is_email_confirmed'
      )
    )
}
