import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { Flag, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { blockedNames } from '../../mail/support-addresses/blocked-names.ts'
import { isErasedClient } from '../../people/clients/erased.ts'
import { deliveryReasonOf, deliveryReasons } from '../../platform/mail-reading/bounce-reasons.ts'
import { partsOf } from '../followers/followers.ts'
import { recipientColumns, ticketRecipient } from './client-access.ts'
import { isOfProvenAddress } from './visibility.ts'

/** The most e-mails to an unverified address over the life of an account: its owner may not want them. */
export const maxUnverifiedEmails = 20

/**
 * What a ticket's client gets by e-mail. `sent`: answers, and automatic e-mails such as the confirmation; `answers_only`: they have ended the
 * automatic ones; `notices_only`: that there is an answer, but not its text, since the address is not theirs for certain. Nothing in all other
 * cases: they have ended the notices (`unsubscribed`) or, in their account, all e-mails about tickets (`turned_off`); enough notices have been
 * sent to an address that is not verified (`limit_reached`); the account is deactivated (`inactive`); the address exists no more (`bounced`).
 */
const clientEmailStates = [
  'sent',
  'answers_only',
  'notices_only',
  'unsubscribed',
  'turned_off',
  'limit_reached',
  'inactive',
  'bounced'
] as const
type ClientEmailState = (typeof clientEmailStates)[number]

export const ClientEmailView = Type.Object({
  state: OneOf(clientEmailStates, 'sent'),
  email: OutputText('ada@example.com'),
  // Why e-mails to the address are not delivered; null unless the state is `bounced`.
  reason: Nullable(OutputText('no such address')),
  reason_code: Nullable(OneOf(deliveryReasons, 'unknown_address')),
  // 0: they have said that they do not want to be asked how our help was.
  rating_emails: Flag()
})

/** `proven`: the address has been verified. `writing`: somebody has written in this ticket from it. */
export type AddressTrust = 'proven' | 'writing' | 'none'

interface ClientFacts {
  is_active: boolean
  ticket_emails: boolean
  automatic_emails: boolean
  unverified_emails_sent: number
}

/** What the client gets, as far as their account and address say. */
export function clientEmailState(client: ClientFacts, trust: AddressTrust): Exclude<ClientEmailState, 'bounced'> {
  if (!client.is_active) return 'inactive'
  if (!client.ticket_emails) return 'turned_off'
  if (trust !== 'none') return client.automatic_emails ? 'sent' : 'answers_only'
  if (!client.automatic_emails) return 'unsubscribed'
  return client.unverified_emails_sent < maxUnverifiedEmails ? 'notices_only' : 'limit_reached'
}

/** What the client of a ticket gets by e-mail, for staff who answer. */
export async function clientEmailOf(db: Db, ticket: number): Promise<Static<typeof ClientEmailView>> {
  const [facts] = await factsOf(db, { ticket })
  return await viewOf(db, ticket, facts!)
}

/** The same, and what else decides on what an answer reaches. */
export async function clientEmailAndReach(db: Db, ticket: number) {
  const [facts] = await factsOf(db, { ticket })
  const { ticket_emails, automatic_emails, is_withheld, is_erased, email } = facts!
  return {
    client_email: await viewOf(db, ticket, facts!),
    hasUnsubscribed: !is_erased && !(ticket_emails && automatic_emails),
    isWithheld: is_withheld,
    isErased: is_erased,
    isBlocked: (await blockedNames(db, [email])).length > 0
  }
}

type Facts = Awaited<ReturnType<typeof factsOf>>[0]

async function viewOf(db: Db, ticket: number, facts: Facts): Promise<Static<typeof ClientEmailView>> {
  const { email, undeliverable, undeliverable_status } = facts
  const rating_emails = bit(facts.rating_emails)
  const trust = facts.is_email_verified ? 'proven' : await trustOf(db, { ...facts, id: ticket })
  const state = clientEmailState(facts, trust)
  if (undeliverable === null || state === 'inactive' || state === 'turned_off' || state === 'unsubscribed')
    return { state, email, reason: null, reason_code: null, rating_emails }
  const reason_code = deliveryReasonOf(undeliverable_status, undeliverable)
  return { state: 'bounced', email, reason: undeliverable, reason_code, rating_emails }
}

const factsOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .leftJoin('undeliverable_addresses as address', join =>
      join
        .on(sql`lower(address.email)`, '=', sql`lower(${ticketRecipient})`)
        .on('address.is_permanent', '=', sql.lit(true))
    )
    .where('tickets.id', '=', p.ticket)
    .select(['clients.is_active', 'clients.unverified_emails_sent', 'clients.rating_emails'])
    .select(recipientColumns)
    .select([isErasedClient.as('is_erased'), sql<boolean>`(not ${isOfProvenAddress('tickets')})`.as('is_withheld')])
    .select(['address.reason as undeliverable', 'address.status as undeliverable_status'])
)

/**
 * How certain it is that an address that is not verified belongs to the client. An authenticated mail from it verifies it as a code does, for
 * this ticket. Whoever has confirmed the form by which it came has written from it. Mails that staff have forwarded do not count.
 */
export async function trustOf(
  db: Db,
  ticket: { id: number; email: string; is_client_email_confirmed: boolean }
): Promise<AddressTrust> {
  const [found] = await mailsFrom(db, { ticket: ticket.id, email: ticket.email })
  if (!found) return ticket.is_client_email_confirmed ? 'writing' : 'none'
  return found.is_authentic ? 'proven' : 'writing'
}

const mailsFrom = prepared((db, p: { ticket: number; email: string }) =>
  db
    .selectFrom('ticket_messages as message')
    .innerJoin('message_emails as email', 'email.message_id', 'message.id')
    .leftJoin('inbound_mails as mail', 'mail.id', 'email.mail_id')
    .where('message.ticket_id', '=', partsOf(p.ticket))
    .where(sql`lower(email.from_email)`, '=', sql`lower(${p.email})`)
    .select(
      sql<boolean>`coalesce(mail.authentication->>'verdict' = 'pass' and lower(mail.sender) = lower(${p.email}), false)`.as(
        'is_authentic'
      )
    )
    .orderBy('is_authentic', 'desc')
    .limit(1)
)
