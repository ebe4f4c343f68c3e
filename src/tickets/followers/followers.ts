import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { FollowerParty } from '../../core/tables/followers.ts'
import type { Authentication } from '../../core/tables/mails.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'

/** Somebody beside the client who gets the replies of a ticket. `undeliverable`: why no more e-mails are sent to them. */
export interface Follower {
  id: number
  email: string
  name: string
  added_by: FollowerParty
  /** The authentication verdict of the e-mail that added them. */
  sender_verdict: Authentication['verdict'] | null
  created_at: Date
  undeliverable: string | null
  undeliverable_status: string | null
}

/** Within a query: a ticket and those merged into it. A follower of one follows all of them. */
export function partsOf(ticket: number | null) {
  return sql<number>`any(array(select part.id from tickets as part where part.id = ${ticket} or part.merged_into_id = ${ticket}))`
}

/**
 * The followers of a ticket in the order in which they were added; of several rows for one address the first. `forClient`: without those whom an
 * e-mail has added that the client does not see.
 */
export async function followersOf(db: Db, ticket: number, { forClient = false } = {}): Promise<Follower[]> {
  const found = await following(db, { ticket, forClient })
  return found.toSorted((one, other) => one.id - other.id)
}

const following = prepared((db, p: { ticket: number; forClient: boolean }) =>
  db
    .selectFrom('ticket_followers as follower')
    .leftJoin('undeliverable_addresses as address', join =>
      join.on(sql`lower(address.email)`, '=', sql`lower(follower.email)`).on('address.is_permanent', '=', sql.lit(true))
    )
    .where('follower.ticket_id', '=', partsOf(p.ticket))
    .where('follower.ended_at', 'is', null)
    .where(
      sql<boolean>`(not ${p.forClient}::boolean or follower.client_email is null or exists (
        select from tickets join clients as owner on owner.id = tickets.client_id
        where tickets.id = follower.ticket_id and owner.is_email_verified
          and follower.client_email = any(array_append(owner.former_emails, lower(owner.email)))))`
    )
    // The client may have changed to this address since.
    .where(
      sql<boolean>`not exists (select from tickets join clients on clients.id = tickets.client_id
        where tickets.id = ${p.ticket} and lower(${emailInForce}) = lower(follower.email))`
    )
    .distinctOn(sql`lower(follower.email)`)
    .select(['follower.id', 'follower.email', 'follower.name', 'follower.added_by', 'follower.created_at'])
    .select('follower.sender_verdict')
    .select(['address.reason as undeliverable', 'address.status as undeliverable_status'])
    .orderBy(sql`lower(follower.email)`)
    .orderBy('follower.id')
)

/** Whether this address follows the ticket. */
export async function isFollowing(db: Db, ticket: number, email: string): Promise<boolean> {
  return (await followingAs(db, { ticket, email })).length > 0
}

const followingAs = prepared((db, p: { ticket: number; email: string }) =>
  db
    .selectFrom('ticket_followers')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .where('ended_at', 'is', null)
    .select('id')
    .limit(1)
)

/** The ticket that a follower follows or has followed, by the follower's id. */
export const ticketOfFollower = prepared((db, p: { id: number }) =>
  db.selectFrom('ticket_followers').where('id', '=', p.id).select('ticket_id')
)

/** What identifies the writer of an e-mail: the address, the follower keys to which it was sent, and our e-mails that it replies to. */
export interface WriterClues {
  sender: string
  followerIds: readonly number[]
  refs: readonly string[]
}

/**
 * Whether the writer is a former follower of the ticket, by their address, their key, or an e-mail that was sent to them. The client and
 * present followers may write to it whichever e-mail they reply to.
 */
export async function hasLeft(
  db: Db,
  ticket: { id: number; client_id: number },
  { sender, followerIds, refs }: WriterClues
): Promise<boolean> {
  const clues = { ticket: ticket.id, client: ticket.client_id, sender, followerIds, refs }
  return (await formerFollowers(db, clues)).length > 0
}

interface FormerClues {
  ticket: number
  client: number
  sender: string
  followerIds: readonly number[]
  refs: readonly string[]
}

const formerFollowers = prepared((db, p: FormerClues) =>
  db
    .selectFrom('ticket_followers as former')
    .where('former.ticket_id', '=', partsOf(p.ticket))
    .where('former.ended_at', 'is not', null)
    .where(
      sql<boolean>`(lower(former.email) = lower(${p.sender}) or former.id = any(${p.followerIds}::bigint[])
        or exists (select from sent_emails as sent where sent.ref = any(${p.refs}::text[])
          and sent.ticket_id = ${partsOf(p.ticket)} and lower(sent.recipient) = lower(former.email)))`
    )
    .where(
      sql<boolean>`not exists (select from clients where id = ${p.client}::bigint and lower(${emailInForce}) in (lower(${p.sender}), lower(former.email)))`
    )
    .where(
      sql<boolean>`not exists (select from ticket_followers as present where present.ticket_id = ${partsOf(p.ticket)}
        and present.ended_at is null and lower(present.email) in (lower(${p.sender}), lower(former.email)))`
    )
    .select('former.id')
    .limit(1)
)

/** Whether one of these e-mails of ours was a blind copy of a reply, or the writer got one of this ticket: whatever else leads them to it. */
export async function gotBlindCopy(db: Db, ticket: number, { sender, refs }: WriterClues): Promise<boolean> {
  return (await blindCopies(db, { ticket, sender, refs })).length > 0
}

const blindCopies = prepared((db, p: { ticket: number; sender: string; refs: readonly string[] }) =>
  db
    .selectFrom('sent_emails as sent')
    .innerJoin('reply_recipients as chosen', join => join.on(sql<boolean>`chosen.message_id = any(sent.message_ids)`))
    .where(
      sql<boolean>`(sent.ref = any(${p.refs}::text[])
        or lower(sent.recipient) = lower(${p.sender}) and sent.ticket_id = ${partsOf(p.ticket)})`
    )
    .where('sent.kind', '=', sql.lit('follower-ticket'))
    .where(
      sql<boolean>`exists (select from jsonb_array_elements_text(chosen.recipients -> 'bcc') as blind (email)
        where lower(blind.email) = lower(sent.recipient))`
    )
    .select('sent.id')
    .limit(1)
)
