import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import { followerInAddress, ticketInAddress } from '../../mail/support-addresses/signed-address.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import {
  gotBlindCopy,
  hasLeft,
  isFollowing,
  ticketOfFollower,
  type WriterClues
} from '../../tickets/followers/followers.ts'
import { splitOffWith } from '../../tickets/links/split-off.ts'
import { replyTarget } from '../../tickets/ticket/locked-ticket.ts'
import { deskVisibility } from '../../tickets/ticket/visibility.ts'
import { emailReturnedTo } from './delivery-reports.ts'

/** What a mail contains that identifies its ticket. */
export interface Clues {
  /** All addresses to which it was sent. */
  recipients: readonly string[]
  /** The Message-IDs that it replies to, the nearest first. */
  references: readonly string[]
  subject: string
  sender: string
}

/** The ticket that receives replies: the ticket itself or the one that it was merged into. */
export interface FoundTicket {
  id: number
  ticket_number: string
  client_id: number
}

/** The ticket of a mail. `isSigned`: the mail contains a key that cannot be guessed. */
export interface Found {
  ticket?: FoundTicket
  named?: FoundTicket
  isSigned: boolean
  /** How the ticket was found. */
  by?: FoundBy
}

/** By our signature in an address, the Message-ID of an e-mail of ours, a number in the subject, or the Message-ID of another mail. */
type FoundBy = 'address' | 'message_id' | 'number' | 'reference'

/**
 * The ticket that a mail belongs to. Our signature in the recipient address proves it, whoever writes, and so does the Message-ID of an e-mail
 * of ours, or its return address, neither of which can be guessed. A ticket number in the subject, or the Message-ID of anybody else's mail, counts only for participants of
 * the ticket: for others, for former followers, and for whoever only got a blind copy, which nobody is to see in the thread, the ticket is only `named`.
 */
export async function ticketOfMail(
  { db, keys }: { db: Db; keys: Keys },
  { recipients, references, subject, sender }: Clues
): Promise<Found> {
  const returned = await emailReturnedTo({ db, keys }, recipients)
  const refs = [...(returned ? [returned.ref] : []), ...references.map(reference => reference.split('@', 1)[0]!)]
  const followerIds = recipients.flatMap(recipient => followerInAddress(keys, recipient) ?? [])
  const writer = { sender, followerIds, refs }
  let named: FoundTicket | undefined
  const addressed = await ticketsAddressed({ db, keys }, recipients)
  for (const [at, id] of [...addressed, ...(await ticketsSentOf(db, refs))].entries()) {
    const ticket = await lasting(db, id)
    if (!ticket) continue
    const isUnseen = !(await takesPart(db, ticket, sender)) && (await gotBlindCopy(db, ticket.id, writer))
    if (!isUnseen && !(await hasLeft(db, ticket, writer))) {
      const by = at < addressed.length ? 'address' : 'message_id'
      return { ticket: await answeredPart(db, ticket, references, writer), isSigned: true, by }
    }
    named ??= ticket
  }
  const numbered = await ticketsNamedIn(db, subject)
  for (const [at, id] of [...numbered, ...(await ticketsReceivedOf(db, references))].entries()) {
    const ticket = await lasting(db, id)
    if (!ticket) continue
    if ((await takesPart(db, ticket, sender)) && !(await hasLeft(db, ticket, writer))) {
      const by = at < numbered.length ? 'number' : 'reference'
      return { ticket: await answeredPart(db, ticket, references, writer), isSigned: false, by }
    }
    named ??= ticket
  }
  return named ? { named, isSigned: false } : { isSigned: false }
}

/**
 * The ticket itself or, if the mail replies to a message that was split off it, the one where that message is now. One of another client takes only
 * those who have written there.
 */
async function answeredPart(
  db: Db,
  ticket: FoundTicket,
  references: readonly string[],
  writer: WriterClues
): Promise<FoundTicket> {
  const id = await splitOffWith(db, ticket.id, references)
  const part = id === undefined ? undefined : await lasting(db, id)
  if (!part || part.id === ticket.id || (await hasLeft(db, part, writer))) return ticket
  return part.client_id === ticket.client_id || (await takesPart(db, part, writer.sender)) ? part : ticket
}

/** The tickets of the keys in the recipient addresses: those of tickets, and those of followers. */
async function ticketsAddressed(
  { db, keys }: { db: Db; keys: Keys },
  recipients: readonly string[]
): Promise<number[]> {
  const tickets: number[] = []
  for (const recipient of recipients) {
    const ticket = ticketInAddress(keys, recipient)
    const follower = followerInAddress(keys, recipient)
    if (ticket !== undefined) tickets.push(ticket)
    if (follower !== undefined)
      tickets.push(...(await ticketOfFollower(db, { id: follower })).map(row => row.ticket_id))
  }
  return tickets
}

/** The ticket that receives replies, unless it is in the trash. */
async function lasting(db: Db, id: number): Promise<FoundTicket | undefined> {
  return await replyTarget(db, deskVisibility(system), id)
}

/** The tickets of our e-mails with these Message-IDs, whatever host a server on the way has put after the @. */
async function ticketsSentOf(db: Db, refs: readonly string[]): Promise<number[]> {
  const found = await sentOf(db, { refs })
  const ofSentEmails = refs.flatMap(ref => found.filter(each => each.ref === ref).map(({ ticket_id }) => ticket_id))
  const ofThreads: number[] = []
  for (const ref of refs) {
    const [, digits, thread] = /^ticket-(\d{6,18})\.([\w-]{8,100})$/.exec(ref) ?? []
    if (!digits || !thread) continue
    const [ticket] = await byThread(db, { number: `TIC-${digits}`, thread })
    if (ticket) ofThreads.push(ticket.id)
  }
  return [...ofSentEmails, ...ofThreads].filter(id => id !== null)
}

const sentOf = prepared((db, p: { refs: readonly string[] }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', sql<string>`any(${p.refs}::text[])`)
    .where('ticket_id', 'is not', null)
    .select(['ref', 'ticket_id'])
)

const byThread = prepared((db, p: { number: string; thread: string }) =>
  db.selectFrom('tickets').where('ticket_number', '=', p.number).where('thread_id', '=', p.thread).select('id')
)

async function ticketsNamedIn(db: Db, subject: string): Promise<number[]> {
  const numbers = [...subject.matchAll(/\bTIC-(\d{6,18})\b/gi)].map(([, digits]) => `TIC-${digits}`)
  const found = await byNumber(db, { numbers: numbers.slice(0, 5) })
  return found.map(({ id }) => id)
}

const byNumber = prepared((db, p: { numbers: readonly string[] }) =>
  db
    .selectFrom('tickets')
    .where('ticket_number', '=', sql<string>`any(${p.numbers}::text[])`)
    .select('id')
    .orderBy('id')
)

/** Whether the sender is the client of a ticket, or follows it. */
export async function isInThreadOf(db: Db, ticketId: number, sender: string): Promise<boolean> {
  const ticket = await lasting(db, ticketId)
  return ticket !== undefined && (await takesPart(db, ticket, sender))
}

/** The ticket of a mail, beside the side conversation that it may answer: then it is in the thread of that ticket, or in none. */
export async function threadOfMail(
  services: { db: Db; keys: Keys },
  clues: Clues,
  side: { id: number; isInThread: boolean } | undefined
): Promise<Found> {
  if (!side) return await ticketOfMail(services, clues)
  const ticket = side.isInThread ? await lasting(services.db, side.id) : undefined
  return { ...(ticket ? { ticket } : {}), isSigned: false }
}

/** The tickets of received mails: somebody may reply to their own mail, or to one that another person sent to both of us. */
async function ticketsReceivedOf(db: Db, references: readonly string[]): Promise<number[]> {
  const found = await receivedOf(db, { refs: references })
  return found.map(({ ticket_id }) => ticket_id).filter(id => id !== null)
}

const receivedOf = prepared((db, p: { refs: readonly string[] }) =>
  db
    .selectFrom('inbound_mails')
    .where('message_ref', '=', sql<string>`any(${p.refs}::text[])`)
    .where('ticket_id', 'is not', null)
    // Whoever answers a mail of a side conversation writes there.
    .where('side_message_id', 'is', null)
    .select('ticket_id')
    .orderBy('id', 'desc')
    .limit(20)
)

/** Whether the sender is the ticket's client, has the address by which it came, is one of its followers, or has written in it by e-mail before. */
async function takesPart(db: Db, { id, client_id }: FoundTicket, sender: string): Promise<boolean> {
  const isPart = (await partOf(db, { ticket: id, client: client_id, sender })).length > 0
  return isPart || (await isFollowing(db, id, sender))
}

const partOf = prepared((db, p: { ticket: number; client: number; sender: string }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.client)
    .where(sql`lower(${emailInForce})`, '=', sql`lower(${p.sender})`)
    .select('id')
    .unionAll(
      db
        .selectFrom('tickets')
        .where('id', '=', p.ticket)
        .where('client_email', '=', sql<string>`lower(${p.sender})`)
        .select('id')
    )
    .unionAll(
      db
        .selectFrom('inbound_mails')
        .where('ticket_id', '=', p.ticket)
        .where(sql`lower(sender)`, '=', sql`lower(${p.sender})`)
        .where('state', 'in', ['ticket', 'reply'])
        // A third party of a side conversation has no part in the thread.
        .where('side_message_id', 'is', null)
        .select('id')
    )
    .limit(1)
)
