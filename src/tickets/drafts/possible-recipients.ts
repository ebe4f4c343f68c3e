import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Language } from '../../core/wording/languages.ts'
import { languageOf } from '../../mail/outbox/localized-email.ts'
import { signatureLines } from '../../mail/signatures/signatures.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { isAutomatedAddress } from '../../platform/mail-reading/automatic.ts'
import { answerSenders } from '../followers/answer-senders.ts'
import { partsOf } from '../followers/followers.ts'
import type { GivenRecipients } from '../followers/recipients.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { whoSeesWhom } from './who-sees-whom.ts'

const maxSenders = 20
const maxPeople = 200

/** An address from which a reply may leave. `failingSince`: since when its own server does not send. */
export interface PossibleSender {
  address: string
  name: string
  isUsual: boolean
  failingSince: Date | null
  /** What stands below an e-mail to the client from there: with the signature of whoever writes, and that of the address alone. */
  signature: SignatureLines
}

type SignatureLines = Awaited<ReturnType<typeof signatureLines>>

/** Somebody who may be put in copy, and why they are offered. */
export interface PossibleRecipient {
  email: string
  name: string
  from: 'ticket' | 'organisation' | 'partner'
}

/**
 * From where a reply to this ticket may leave, the usual address first, who is near it, and what those who are `given` see of each other. Throws
 * `TicketNotFound`, and `InvalidFields` for recipients that a reply would refuse.
 */
export async function possibleRecipients(
  services: Pick<Services, 'db' | 'keys' | 'config'>,
  actor: StaffActor,
  ref: TicketRef,
  given: GivenRecipients,
  language: Language
): Promise<{ senders: PossibleSender[]; signature: SignatureLines; people: PossibleRecipient[]; text: string }> {
  const { db } = services
  const ticket = await replyTarget(db, deskVisibility(actor), ref)
  if (!ticket) throw TicketNotFound()
  const own = await ownAddresses(services)
  const people = (await peopleNear(db, { ticket: ticket.id, most: maxPeople })).filter(
    ({ email }) => !own.has(baseAddress(email)) && !isAutomatedAddress(email)
  )
  const text = await whoSeesWhom(services, ticket.id, given, language)
  return { ...(await sendersOf(services, actor, ticket.id)), people, text }
}

/** The usual address, and the others of the department; and what stands below an e-mail from the usual one, or from the desk where it has none. */
async function sendersOf(
  services: Pick<Services, 'db' | 'keys' | 'config'>,
  actor: StaffActor,
  ticketId: number
): Promise<{ senders: PossibleSender[]; signature: SignatureLines }> {
  const { db } = services
  const answering = await answerSenders(services, ticketId)
  if (!answering) throw TicketNotFound()
  const language = await languageOf(db, { population: 'client', id: answering.client_id })
  const senders = answering.senders.slice(0, maxSenders)
  const [usual] = senders
  const signature = await signatureLines(db, actor.id, usual?.address, language)
  const broken = await failing(db, { keys: senders.map(({ address }) => baseAddress(address)) })
  const possible = senders.map(async ({ address, name }) => ({
    address,
    name,
    isUsual: address === usual?.address,
    failingSince: broken.find(({ address_key }) => address_key === baseAddress(address))?.smtp_failing_since ?? null,
    signature: await signatureLines(db, actor.id, address, language)
  }))
  return { senders: await Promise.all(possible), signature }
}

const failing = prepared((db, p: { keys: readonly string[] }) =>
  db
    .selectFrom('connected_mailboxes')
    .where('address_key', '=', sql<string>`any(${p.keys}::text[])`)
    .where('smtp', 'is not', null)
    .where('smtp_failing_since', 'is not', null)
    .select(['address_key', 'smtp_failing_since'])
)

/**
 * Who has followed the ticket, or was named in its e-mails; the people of the client's organisation; third parties who were asked about the client's
 * tickets. Each address once, without the client, the staff and whom e-mails do not reach.
 */
const peopleNear = prepared((db, p: { ticket: number; most: number }) =>
  db
    .selectFrom(
      sql<PossibleRecipient & { place: number }>`(
        select distinct on (lower(near.email)) near.email, near.name, near.source as "from", near.place
        from (
          select follower.email, follower.name, 'ticket' as source, 0 as place
          from ticket_followers as follower where follower.ticket_id = ${partsOf(p.ticket)}
          union all
          select person->>'email', coalesce(person->>'name', ''), 'ticket', 1
          from ticket_messages as message
          join message_emails as mailed on mailed.message_id = message.id,
          lateral jsonb_array_elements(
            (mailed.recipients->'to') || (mailed.recipients->'cc')
              || jsonb_build_array(jsonb_build_object('email', mailed.from_email, 'name', mailed.from_name))
          ) as person
          where message.ticket_id = ${partsOf(p.ticket)}
          union all
          select colleague.email, colleague.first_name || ' ' || colleague.last_name, 'organisation', 2
          from tickets join clients as owner on owner.id = tickets.client_id
          join clients as colleague on colleague.organisation_id = owner.organisation_id and colleague.is_active
          where tickets.id = ${p.ticket}
          union all
          select participant.email, participant.name, 'partner', 3
          from tickets join tickets as other on other.client_id = tickets.client_id
          join side_conversations as conversation on conversation.ticket_id = other.id
          join side_participants as participant on participant.conversation_id = conversation.id
          where tickets.id = ${p.ticket} and participant.role in ('to', 'cc')
        ) as near
        where near.email <> ''
          and not exists (select from staff where lower(staff.email) = lower(near.email))
          and not exists (select from undeliverable_addresses as address
            where address.is_permanent and lower(address.email) = lower(near.email))
          and not exists (
            select from tickets join clients as owner on owner.id = tickets.client_id
            where tickets.id = ${p.ticket} and lower(near.email) in (lower(owner.email), lower(tickets.client_email))
          )
        order by lower(near.email), near.place, near.name desc
      )`.as('person')
    )
    .select(['person.email', 'person.name', 'person.from'])
    .orderBy('person.place')
    .orderBy('person.name')
    .orderBy('person.email')
    .limit(p.most)
)
