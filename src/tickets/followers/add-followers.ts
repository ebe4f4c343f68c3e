import { sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Authentication } from '../../core/tables/mails.ts'
import { addressKey, otherSpellings } from '../../mail/support-addresses/support-addresses.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import { partsOf } from './followers.ts'

/** A name and an address from an e-mail. */
interface Person {
  name: string
  email: string
}

const maxEmailCharacters = 254

/**
 * Adds followers from the people named in an e-mail, as many as there is room for, and returns how many. Present and former followers stay
 * as they are. The ticket's client, staff, and undeliverable addresses are not added. The ticket is locked until the transaction ends:
 * concurrent additions wait.
 */
export async function addFollowers(
  act: Act,
  ticket: { id: number; client_id: number },
  people: readonly Person[],
  { by, most, verdict }: { by: 'client' | 'follower'; most: number; verdict: Authentication['verdict'] }
): Promise<number> {
  const given = people.filter(({ email }) => email.length <= maxEmailCharacters)
  if (given.length === 0 || most === 0) return 0
  const { db, now } = act
  await lockedTicket(db, { id: ticket.id })
  const known = given.some(({ email }) => otherSpellings(email).length > 0) ? await knownAddresses(db, ticket) : []
  const others = withoutKnown(given, known)
  const added = await insertFitting(db, {
    ticket: ticket.id,
    client: ticket.client_id,
    emails: others.map(({ email }) => email),
    names: others.map(({ name }) => name),
    by,
    most,
    verdict,
    now
  })
  for (const { id } of added.toSorted((one, other) => one.id - other.id)) {
    act.happened({ kind: 'ticket.follower_added', ticket: ticket.id, after: { follower_id: id } })
  }
  return added.length
}

/** Those whose address is not known in the other way to write it, each once. */
function withoutKnown(people: readonly Person[], known: readonly string[]): Person[] {
  const keys = new Set(known.map(addressKey))
  return people.filter(({ email }) => {
    // The database compares letters: it does not know the two ways to write a domain.
    if (otherSpellings(email).length === 0) return true
    const isNew = !keys.has(addressKey(email))
    keys.add(addressKey(email))
    return isNew
  })
}

/** The client and all who follow the ticket or have followed it. */
async function knownAddresses(db: Db, { id, client_id }: { id: number; client_id: number }): Promise<string[]> {
  return (await addressesOf(db, { ticket: id, client: client_id })).map(({ email }) => email)
}

const addressesOf = prepared((db: Db, p: { ticket: number; client: number }) =>
  db
    .selectFrom('ticket_followers')
    .where('ticket_id', '=', partsOf(p.ticket))
    .select('email')
    .unionAll(db.selectFrom('clients').where('id', '=', p.client).select(emailInForce.as('email')))
)

const lockedTicket = prepared((db: Db, p: { id: number }) =>
  db.selectFrom('tickets').where('id', '=', p.id).select('id').forNoKeyUpdate()
)

interface Fitting {
  ticket: number
  client: number
  emails: readonly string[]
  names: readonly string[]
  by: 'client' | 'follower'
  most: number
  verdict: Authentication['verdict']
  now: Date
}

const insertFitting = prepared((db: Db, p: Fitting) =>
  db
    .insertInto('ticket_followers')
    .columns(['ticket_id', 'email', 'name', 'added_by', 'sender_verdict', 'client_email', 'created_at'])
    .expression(
      sql`
        select ${p.ticket}::bigint, given.email, given.name, ${p.by}, ${p.verdict},
          (select lower(${emailInForce}) from clients where clients.id = ${p.client}::bigint), ${p.now}::timestamptz
        from (
          select distinct on (lower(email)) email, name, place
          from unnest(${p.emails}::text[], ${p.names}::text[]) with ordinality as each (email, name, place)
          order by lower(email), place) as given
        where not exists (select from ticket_followers as known
            where known.ticket_id = ${partsOf(p.ticket)} and lower(known.email) = lower(given.email))
          and not exists (select from clients where clients.id = ${p.client}::bigint and lower(${emailInForce}) = lower(given.email))
          and not exists (select from staff where lower(staff.email) = lower(given.email))
          and not exists (select from undeliverable_addresses as address
            where address.is_permanent and lower(address.email) = lower(given.email))
        order by given.place
        limit greatest(0, ${p.most}::bigint - ${countFollowing(p.ticket)})`
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
)

function countFollowing(ticket: number) {
  return sql<number>`(select count(distinct lower(present.email)) from ticket_followers as present
    where present.ticket_id = ${partsOf(ticket)} and present.ended_at is null)`
}

function anyOf(emails: readonly string[]) {
  return sql<string>`any(array(select lower(way) from unnest(${emails}::text[]) as way))`
}

/** What keeps an address, in all the ways to write it, from following a ticket: it is the client's or a staff member's, or undeliverable; `count`: present followers. */
export const standingOf = prepared((db: Db, p: { ticket: number; client: number; emails: readonly string[] }) =>
  db.selectNoFrom(eb => [
    eb
      .exists(
        eb
          .selectFrom('clients')
          .where('id', '=', p.client)
          .where(sql`lower(${emailInForce})`, '=', anyOf(p.emails))
          .select('id')
      )
      .as('is_client'),
    eb.exists(eb.selectFrom('staff').where(sql`lower(email)`, '=', anyOf(p.emails)).select('id')).as('is_staff'),
    eb
      .selectFrom('undeliverable_addresses')
      .where(sql`lower(email)`, '=', anyOf(p.emails))
      .where('is_permanent', '=', true)
      .limit(1)
      .select('reason')
      .as('undeliverable'),
    eb
      .selectFrom('undeliverable_addresses')
      .where(sql`lower(email)`, '=', anyOf(p.emails))
      .where('is_permanent', '=', true)
      .limit(1)
      .select('status')
      .as('undeliverable_status'),
    countFollowing(p.ticket).as('count')
  ])
)

/** Inserts a follower, or brings back a removed one. Returns no row if they already follow. */
export const insertFollower = prepared((db: Db, p: { ticket: number; email: string; name: string; now: Date }) =>
  db
    .insertInto('ticket_followers')
    .values({ ticket_id: p.ticket, email: p.email, name: p.name, added_by: 'staff', created_at: p.now })
    .onConflict(conflict =>
      conflict
        .expression(sql`ticket_id, lower(email)`)
        .doUpdateSet({
          ended_at: null,
          ended_by: null,
          added_by: 'staff',
          sender_verdict: null,
          client_email: null,
          name: sql`coalesce(nullif(excluded.name, ''), ticket_followers.name)`
        })
        .where('ticket_followers.ended_at', 'is not', null)
    )
    .returning('id')
)
