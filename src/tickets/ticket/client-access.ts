import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { Flag, Id } from '../../kit/schemas.ts'
import { emailInForce, isEmailInForceVerified } from '../../people/credentials/email-in-force.ts'
import { anyPart } from './merged-parts.ts'
import { isOfProvenAddress } from './visibility.ts'

/** What the client sees of a ticket in the portal, for staff: an account may be in the hands of somebody who only claims its address. */
export const ClientAccess = Type.Object({
  // 0: nobody has proven that the address of the account is theirs.
  is_email_proven: Flag(),
  // 1: it came by e-mail or by the form at an address that the account has not proven, and is answered by e-mail alone.
  is_withheld: Flag(0),
  // The messages in a visible ticket that the account does not see for that reason.
  withheld_messages: Type.Array(Id())
})

// Within a query on `tickets` and `clients`.

/**
 * Whether e-mails about the ticket go to the client's address. Otherwise it came from an address that the account once claimed and never proved:
 * whoever wrote from there is somebody else, and is answered there.
 */
const isOfClientAddress = sql<boolean>`(tickets.client_email is null
  or tickets.client_email = lower(${emailInForce}) or tickets.client_email = any(clients.former_emails))`

/** The address for e-mails to the client about the ticket. */
export const ticketRecipient = sql<string>`case when ${isOfClientAddress} then ${emailInForce} else tickets.client_email end`

/** Whether the recipient is known to be the client. */
const isRecipientProven = sql<boolean>`(${isOfClientAddress} and ${isEmailInForceVerified})`

/** What decides on e-mails to the client about the ticket. What the account has chosen does not bind whoever wrote from an address that it never proved. */
export const recipientColumns = [
  ticketRecipient.as('email'),
  isRecipientProven.as('is_email_verified'),
  isOfClientAddress.as('is_of_client'),
  sql<boolean>`(clients.ticket_emails or not ${isOfClientAddress})`.as('ticket_emails'),
  sql<boolean>`(clients.automatic_emails or not ${isOfClientAddress})`.as('automatic_emails'),
  sql<boolean>`(tickets.is_client_email_confirmed and lower(${ticketRecipient}) = tickets.client_email)`.as(
    'is_client_email_confirmed'
  )
] as const

/** The addresses, without repetition, to which e-mails to the client about these tickets go. */
export const recipientsOf = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(sql<string>`lower(${ticketRecipient})`.as('email'))
    .distinct()
)

export const clientAccess = sql<Static<typeof ClientAccess>>`json_build_object(
  'is_email_proven', clients.is_email_verified::int,
  'is_withheld', (not ${isOfProvenAddress('tickets')})::int,
  'withheld_messages', case when ${isOfProvenAddress('tickets')} then array(
    select message.id from ticket_messages as message where message.ticket_id = ${anyPart} and message.client_email is not null
      and not ${isOfProvenAddress('message', 'tickets')} order by message.id) else '{}' end)`

/** The same for one ticket. */
export async function clientAccessTo(db: Db, ticket: number): Promise<Static<typeof ClientAccess>> {
  const [found] = await accessTo(db, { ticket })
  return found!.client_access
}

const accessTo = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .select(clientAccess.as('client_access'))
)
