import { sql } from 'kysely'
import { Type } from 'typebox'
import type { DeskActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketRow } from '../../core/tables/tickets.ts'
import { failure } from '../../kit/errors.ts'
import { Id, Nullable } from '../../kit/schemas.ts'
import { requireVersion } from '../../kit/versions.ts'
import { lockClient } from '../../people/clients/lock-client.ts'
import { TicketNumber, type TicketRef } from './schemas.ts'
import { TicketNotFound, visibleTicketQuery } from './ticket-for.ts'
import { deskVisibility, type TicketVisibility } from './visibility.ts'

/** `data` names the target to callers who may see it. */
export const TicketMerged = failure(
  409,
  'ticket_merged',
  'This ticket has been merged into another one',
  Type.Object({ merged_into: Nullable(Type.Object({ id: Id(), ticket_number: TicketNumber })) })
)

const columns = [
  'id',
  'ticket_number',
  'client_id',
  'department_id',
  'assigned_staff_id',
  'subject',
  'priority',
  'status',
  'message_count',
  'attachment_count',
  'version',
  'merged_into_id',
  'trashed_at'
] as const

/** A ticket before a change. */
export type LockedTicket = Pick<TicketRow, (typeof columns)[number]>

/**
 * Locks the ticket, if the actor may see it, until the transaction ends; concurrent changes wait. Throws `TicketNotFound`, and
 * `VersionConflict` if the ticket is not at the version that the caller expects.
 */
export async function lockedTicket(
  db: Db,
  visibility: TicketVisibility,
  ref: TicketRef,
  expectedVersion: number | undefined
): Promise<LockedTicket> {
  const ticket = await visibleAndLocked(db, visibility, ref, {})
  if (!ticket) throw TicketNotFound()
  requireVersion(ticket.version, expectedVersion)
  return ticket
}

/**
 * Like `lockedTicket`, but refuses a merged ticket, which is to be changed through its target: throws `TicketMerged`, which names the
 * target to an actor who sees it in the queue.
 */
export async function lockedUnmerged(
  db: Db,
  actor: DeskActor,
  visibility: TicketVisibility,
  ref: TicketRef,
  expectedVersion: number | undefined
): Promise<LockedTicket> {
  const ticket = await lockedTicket(db, visibility, ref, expectedVersion)
  await refuseMerged(db, actor, ticket)
  return ticket
}

/** A ticket as another one's timeline names it. */
export function ticketReference({ id, ticket_number }: Pick<LockedTicket, 'id' | 'ticket_number'>) {
  return { id, ticket_number }
}

/** Throws `TicketMerged` for a ticket that was merged into another. */
export async function refuseMerged(
  db: Db,
  actor: DeskActor,
  { ticket_number, merged_into_id, trashed_at }: Pick<LockedTicket, 'ticket_number' | 'merged_into_id' | 'trashed_at'>
): Promise<void> {
  if (merged_into_id === null) return
  // Merged tickets are in the trash together with their target.
  const visibility: TicketVisibility = { ...deskVisibility(actor), ...(trashed_at === null ? {} : { trash: 'too' }) }
  const target = await numberOf(db, visibility, merged_into_id, {})
  throw TicketMerged({
    message: `${ticket_number} has been merged into ${target?.ticket_number ?? 'a ticket that you do not see'}`,
    data: { merged_into: target ?? null }
  })
}

/**
 * Like `lockedUnmerged`, for the ticket that takes the reply: this one or, if it was merged, its target, which the actor has to see as well
 * (`TicketMerged`).
 */
export async function lockedForReply(
  db: Db,
  actor: DeskActor,
  ref: TicketRef,
  expectedVersion: number | undefined
): Promise<LockedTicket> {
  const visibility = deskVisibility(actor)
  for (;;) {
    const seen = await visibleTicketNow(db, visibility, ref, {})
    if (!seen) throw TicketNotFound()
    const target = seen.merged_into_id ?? seen.id
    const ticket = await visibleAndLocked(db, visibility, target, {})
    const still = await visibleTicketNow(db, visibility, ref, {})
    // Otherwise it was merged or unmerged while we waited for the lock.
    if (still && (still.merged_into_id ?? still.id) === target) {
      if (!ticket) {
        await refuseMerged(db, actor, still)
        continue
      }
      requireVersion(ticket.version, expectedVersion)
      return ticket
    }
  }
}

/** Locks the ticket's client, so that nobody else merges or unmerges the ticket, and returns the ticket. Throws `TicketNotFound`. */
export async function lockClientOf(db: Db, visibility: TicketVisibility, ref: TicketRef) {
  const seen = await visibleTicketNow(db, visibility, ref, {})
  if (!seen || !(await lockClient(db, seen.client_id))) throw TicketNotFound()
  return seen
}

/**
 * Locks these tickets and all that were merged into them until the transaction ends, ordered by id to avoid deadlocks. Call `lockClientOf`
 * first. `toRemove` also blocks new foreign key references to them.
 */
export async function lockedWithMerged(
  db: Db,
  ids: readonly number[],
  { toRemove }: { toRemove?: true } = {}
): Promise<LockedTicket[]> {
  return toRemove ? await lockedToRemove(db, { ids }) : await lockedToChange(db, { ids })
}

const visibleAndLocked = visibleTicketQuery(tickets =>
  tickets.select(columns.map(column => `tickets.${column}` as const)).forNoKeyUpdate()
)

/** The current state of a ticket that the actor sees, without a lock. */
export const visibleTicketNow = visibleTicketQuery(tickets =>
  tickets.select([
    'tickets.id',
    'tickets.ticket_number',
    'tickets.client_id',
    'tickets.merged_into_id',
    'tickets.trashed_at'
  ])
)

/** The ticket or, if it was merged into one that is seen too, its target: where replies go. Without a lock. */
export async function replyTarget(db: Db, visibility: TicketVisibility, ref: TicketRef) {
  const seen = await visibleTicketNow(db, visibility, ref, {})
  const target = seen?.merged_into_id && (await visibleTicketNow(db, visibility, seen.merged_into_id, {}))
  return target || seen
}

/** The ticket with this id, locked, whoever may see it; undefined if there is none. */
export async function lockedById(db: Db, id: number): Promise<LockedTicket | undefined> {
  const [ticket] = await byIdLocked(db, { id })
  return ticket
}

const byIdLocked = prepared((db, p: { id: number }) =>
  db.selectFrom('tickets').where('id', '=', p.id).select(columns).forNoKeyUpdate()
)

const lockedToChange = prepared((db, p: { ids: readonly number[] }) => withParts(db, p).forNoKeyUpdate())

const lockedToRemove = prepared((db, p: { ids: readonly number[] }) => withParts(db, p).forUpdate())

function withParts(db: Db, p: { ids: readonly number[] }) {
  const among = sql<number>`any(${p.ids}::bigint[])`
  return db
    .selectFrom('tickets')
    .where(({ or, eb }) => or([eb('id', '=', among), eb('merged_into_id', '=', among)]))
    .select(columns)
    .orderBy('id')
}

const numberOf = visibleTicketQuery(tickets => tickets.select(['tickets.id', 'tickets.ticket_number']))
