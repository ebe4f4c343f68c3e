import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import type { TicketRow } from '../../core/tables/tickets.ts'
import { failure } from '../../kit/errors.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { organisationOfClient } from '../organisations/name-of-client.ts'

export const ClientNotFound = failure(404, 'client_not_found', 'There is no such client')

const recentTickets = 10

const columns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'company_name',
  'street_address',
  'city',
  'state',
  'postcode',
  'is_active',
  'is_email_verified',
  'is_phone_verified',
  'organisation_role'
] as const

const ticketColumns = ['id', 'ticket_number', 'subject', 'status', 'priority', 'created_at'] as const

/** A client as staff read it, with its ten newest tickets, without those in the trash or in departments that the actor does not see. */
export interface ClientRecord {
  client: Pick<ClientRow, (typeof columns)[number]> & { organisation: { id: number; name: string } | null }
  tickets: Pick<TicketRow, (typeof ticketColumns)[number]>[]
}

/** The record of the client with that id. Throws `ClientNotFound`. */
export async function clientRecord(db: Db, { departments }: StaffActor, id: number): Promise<ClientRecord> {
  const newest = departments ? newestWithin(db, { id, departments }) : newestTickets(db, { id })
  const [[client], tickets] = await Promise.all([clientById(db, { id }), newest])
  if (!client) throw ClientNotFound()
  return { client, tickets }
}

/** The record as the contract shows it, with the organisation of who belongs to one. */
export function clientRecordView({ client: { organisation, organisation_role, ...client }, tickets }: ClientRecord) {
  return {
    client: {
      ...client,
      ...(organisation ? { organisation, organisation_role: organisation_role! } : {}),
      role: 'client' as const,
      is_active: bit(client.is_active),
      is_email_verified: bit(client.is_email_verified),
      is_phone_verified: bit(client.is_phone_verified)
    },
    tickets: tickets.map(ticket => ({ ...ticket, created_at: timestamp(ticket.created_at) }))
  }
}

const clientById = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).select(columns).select(organisationOfClient.as('organisation'))
)

const newestTickets = prepared((db, p: { id: number }) => newestOf(db, p.id))

const newestWithin = prepared((db, p: { id: number; departments: readonly number[] }) =>
  newestOf(db, p.id).where('department_id', '=', sql<number>`any(${p.departments}::bigint[])`)
)

function newestOf(db: Db, client: number) {
  return db
    .selectFrom('tickets')
    .where('client_id', '=', client)
    .where('trashed_at', 'is', null)
    .select(ticketColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(recentTickets)
}
