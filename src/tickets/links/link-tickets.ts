import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketLinkKind } from '../../core/tables/links.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { partsOf } from '../followers/followers.ts'
import { type LockedTicket, ticketReference } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { linksOf } from './linked-tickets.ts'
import { lockedBoth } from './locked-tickets.ts'

/** The most links of one ticket: the detail shows all of them. */
const maxLinks = 200

export const AlreadyLinked = failure(409, 'already_linked', 'These tickets are linked so already')
export const BlocksInCircle = failure(409, 'blocks_in_circle', 'The tickets would block each other in a circle')
export const TooManyLinks = failure(409, 'too_many_links', `A ticket has ${maxLinks} links at most`)
export const LinkNotFound = failure(404, 'link_not_found', 'These tickets are not linked so')

/** The kinds of links that staff make. */
export const linkKinds = ['related', 'blocks', 'duplicate_of'] as const satisfies TicketLinkKind[]
export type LinkKind = (typeof linkKinds)[number]

interface Pair {
  actor: StaffActor
  caller: Origin
  ref: TicketRef
  other: TicketRef
}

/** A ticket as an event names it. */
type Named = Pick<LockedTicket, 'id' | 'ticket_number'>

/**
 * Links a ticket to another one: it is related to it, blocks it, or is its duplicate. The actor sees both. Throws `TicketNotFound`, `TicketMerged`,
 * `TicketTrashed`, `InvalidFields` for a ticket and itself, `AlreadyLinked`, `BlocksInCircle`, `TooManyLinks`.
 */
export async function linkTickets(services: ActServices, { actor, caller, ref, other }: Pair, kind: LinkKind) {
  return await act(services, { actor, caller }, async act => {
    if (kind === 'blocks') await oneCircleCheckAtATime(act.db)
    const [from, to] = await lockedBoth(act.db, actor, ref, other)
    if (from.id === to.id) throw InvalidFields({ message: 'A ticket cannot be linked to itself', errors: ['other_id'] })
    const refusal = await addLink(act, from, to, kind)
    if (refusal) throw refusal()
    const after = { link: kind, other: ticketReference(to) }
    act.happened({ kind: 'ticket.linked', ticket: from.id, after: { ...after, direction: 'out' } })
    tellOther(act, 'ticket.linked', from, to, kind, 'in')
    return { ticket_id: from.id, other_id: to.id, ...(await linksOf(act.db, actor, from.id)) }
  })
}

/** Takes a link between two tickets away, whichever of them is named first. Throws `LinkNotFound`, and what `linkTickets` does. */
export async function unlinkTickets(services: ActServices, { actor, caller, ref, other }: Pair, kind: LinkKind) {
  return await act(services, { actor, caller }, async act => {
    const [one, another] = await lockedBoth(act.db, actor, ref, other)
    const direction = await removeLink(act.db, one, another, kind)
    if (!direction) throw LinkNotFound()
    const before = { link: kind, direction, other: ticketReference(another) }
    act.happened({ kind: 'ticket.unlinked', ticket: one.id, before, after: {} })
    tellOther(act, 'ticket.unlinked', one, another, kind, direction === 'out' ? 'in' : 'out')
    return { ticket_id: one.id, other_id: another.id, ...(await linksOf(act.db, actor, one.id)) }
  })
}

/** Links two tickets, or returns why that is refused. Before a link that blocks, `oneCircleCheckAtATime`. */
export async function addLink({ db, now }: Act, from: Named, to: Named, kind: LinkKind) {
  if (kind === 'blocks' && (await pathBetween(db, { from: [to.id], to: from.id })).length > 0) return BlocksInCircle
  const counted = [...(await linkCount(db, { ticket: from.id })), ...(await linkCount(db, { ticket: to.id }))]
  if (counted.some(({ links }) => links >= maxLinks)) return TooManyLinks
  const added = await insertLink(db, { from: from.id, to: to.id, kind, now })
  return added.length > 0 ? undefined : AlreadyLinked
}

/** Removes what links two tickets in this way, and returns its direction as seen from the first; undefined if nothing does. */
export async function removeLink(
  db: Db,
  one: Named,
  another: Named,
  kind: LinkKind
): Promise<'out' | 'in' | undefined> {
  const removed = await deleteLinks(db, { one: one.id, another: another.id, kind })
  if (removed.length === 0) return undefined
  return removed.some(({ is_out }) => is_out) ? 'out' : 'in'
}

/** Records on the other ticket's timeline too that they were linked or unlinked; `direction` as seen from there. */
export function tellOther(
  act: Act,
  kind: 'ticket.linked' | 'ticket.unlinked',
  ticket: Named,
  other: Named,
  link: LinkKind,
  direction: 'out' | 'in',
  by?: 'undo'
): void {
  const facts = { link, direction, other: ticketReference(ticket) }
  const mark = by ? { by } : {}
  if (kind === 'ticket.linked') act.happened({ kind, ticket: other.id, after: { ...facts, ...mark }, logged: false })
  else act.happened({ kind, ticket: other.id, before: facts, after: mark, logged: false })
}

/**
 * Two links that block, made at once between different tickets, could close a circle that neither of them sees: they are made one after the
 * other.
 */
export async function oneCircleCheckAtATime(db: Db): Promise<void> {
  await takeTurn(db, {})
}

const takeTurn = prepared((db: Db) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtext('deskline ticket blocks'))`.as('turn'))
)

/** Whether a ticket blocks itself through others, as one may into which another was merged. What links its own parts counts as nothing (L3). */
export async function blocksItself(db: Db, ticket: number): Promise<boolean> {
  const blocked = (await blockedBy(db, { ticket })).map(({ id }) => id)
  return blocked.length > 0 && (await pathBetween(db, { from: blocked, to: ticket })).length > 0
}

const blockedBy = prepared((db: Db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_links as link')
    .innerJoin('tickets as named', 'named.id', 'link.to_id')
    .where('link.kind', '=', sql.lit('blocks' as const))
    .where('link.from_id', '=', partsOf(p.ticket))
    .where(({ fn }) => fn.coalesce('named.merged_into_id', 'named.id'), '<>', p.ticket)
    .select(({ fn }) => fn.coalesce('named.merged_into_id', 'named.id').as('id'))
)

/** Whether one of these tickets is the other, or blocks it, directly or through others; merged tickets count as what they were merged into. */
const pathBetween = prepared((db: Db, p: { from: readonly number[]; to: number }) =>
  db
    .withRecursive('blocked', db =>
      db.selectNoFrom(sql<number>`unnest(${p.from}::bigint[])`.as('id')).union(db =>
        db
          .selectFrom('blocked')
          .innerJoinLateral(
            sql<{ to_id: number }>`(
              select link.to_id from ticket_links as link where link.kind = 'blocks' and link.from_id = any(array(
                select blocked.id union all select part.id from tickets as part where part.merged_into_id = blocked.id)))`.as(
              'link'
            ),
            join => join.onTrue()
          )
          .innerJoin('tickets as named', 'named.id', 'link.to_id')
          .select(({ fn }) => fn.coalesce('named.merged_into_id', 'named.id').as('id'))
      )
    )
    .selectFrom('blocked')
    .where('blocked.id', '=', p.to)
    .select('blocked.id')
    .limit(1)
)

const linkCount = prepared((db: Db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_links')
    .where(({ or, eb }) => or([eb('from_id', '=', p.ticket), eb('to_id', '=', p.ticket)]))
    .select(({ fn }) => fn.countAll<number>().as('links'))
)

const insertLink = prepared((db: Db, p: { from: number; to: number; kind: LinkKind; now: Date }) =>
  db
    .insertInto('ticket_links')
    .columns(['from_id', 'to_id', 'kind', 'created_at'])
    .expression(
      sql`select ${p.from}::bigint, ${p.to}::bigint, ${p.kind}::text, ${p.now}::timestamptz
        where not exists (select from ticket_links as known where ${isBetween(p.from, p.to, p.kind)})`
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
)

const deleteLinks = prepared((db: Db, p: { one: number; another: number; kind: LinkKind }) =>
  db
    .deleteFrom('ticket_links as known')
    .where(isBetween(p.one, p.another, p.kind))
    .returning(sql<boolean>`known.from_id = ${partsOf(p.one)}`.as('is_out'))
)

/** Whether a link `known` is of this kind and between these tickets, or what was merged into them. */
function isBetween(one: number, another: number, kind: LinkKind) {
  return sql<boolean>`known.kind = ${kind}::text and (
    (known.from_id = ${partsOf(one)} and known.to_id = ${partsOf(another)})
    or (known.from_id = ${partsOf(another)} and known.to_id = ${partsOf(one)}))`
}
