import { type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { fillFields } from '../fields/set-fields.ts'
import { blocksItself, oneCircleCheckAtATime } from '../links/link-tickets.ts'
import { endSnooze } from '../snooze/end-snooze.ts'
import type { Change } from '../ticket/change-ticket.ts'
import { recipientsOf } from '../ticket/client-access.ts'
import { lockedPair } from '../ticket/locked-pair.ts'
import { type LockedTicket, refuseMerged, ticketReference } from '../ticket/locked-ticket.ts'
import { changedTicket } from '../ticket/queue-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'

export const MergeRefused = failure(409, 'merge_refused', 'These tickets cannot be merged')

/**
 * Merges a ticket into another one of the same client. No message is moved: the target shows and counts both threads, and takes the replies
 * to either, until `unmergeTicket` separates them. The target gets the values of custom fields that it lacks, and keeps them. Tickets that were merged into this one go along. Tickets that are answered at different
 * addresses stay apart. Throws `TicketNotFound`,
 * `VersionConflict`, `MergeRefused`, and `TicketMerged` if either is already merged.
 */
export async function mergeTickets(
  services: ActServices,
  { actor, caller, ref, expectedVersion }: Change,
  into: TicketRef
) {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await oneCircleCheckAtATime(db)
    const [source, target] = await lockedPair(db, actor, ref, into, expectedVersion)
    if (source.id === target.id)
      throw MergeRefused({ message: 'A ticket cannot be merged into itself', errors: ['into_id'] })
    if (source.client_id !== target.client_id) {
      throw MergeRefused({ message: 'Tickets of different clients cannot be merged', errors: ['into_id'] })
    }
    if ((await recipientsOf(db, { ids: [source.id, target.id] })).length > 1) {
      const message = 'These tickets are answered at different e-mail addresses, which may belong to different people'
      throw MergeRefused({ message, errors: ['into_id'] })
    }
    await refuseMerged(db, actor, source)
    await refuseMerged(db, actor, target)

    const { now } = act
    const moved = await redirect(db, { from: source.id, to: target.id })
    const own = countsWithout(source, moved)
    await close(db, { id: source.id, target: target.id, ...own, now })
    await addCounts(db, { id: target.id, messages: source.message_count, attachments: source.attachment_count, now })
    if (await blocksItself(db, target.id)) {
      const message = 'These tickets block each other through another one: take one of these links away first'
      throw MergeRefused({ message, errors: ['into_id'] })
    }

    // Both: the target has got messages that nobody has seen there.
    for (const { id } of [target, source]) await endSnooze(act, id, 'merged')
    await fillFields(act, { from: source.id, to: target.id })
    const [isIn, isFrom] = [ticketReference(target), ticketReference(source)]
    act.happened({ kind: 'ticket.absorbed', ticket: target.id, after: { merged: isFrom } })
    for (const { id } of moved) {
      const change = { before: { merged_into: isFrom }, after: { merged_into: isIn } }
      act.happened({ kind: 'ticket.merge_moved', ticket: id, ...change })
    }
    act.happened({
      kind: 'ticket.merged',
      ticket: source.id,
      before: { status: source.status },
      after: { status: 'Closed', merged_into: isIn }
    })
    return { ticket: await changedTicket(db, target.id), merged_id: source.id }
  })
}

/** The counts of a ticket without those of the tickets merged into it. */
function countsWithout(ticket: LockedTicket, moved: { message_count: number; attachment_count: number }[]) {
  return {
    messages: moved.reduce((left, part) => left - part.message_count, ticket.message_count),
    attachments: moved.reduce((left, part) => left - part.attachment_count, ticket.attachment_count)
  }
}

/** Makes another ticket the target of what was merged into this one. */
const redirect = prepared((db, p: { from: number; to: number }) =>
  db
    .updateTable('tickets')
    .where('merged_into_id', '=', p.from)
    .set({ merged_into_id: p.to })
    .returning(['id', 'message_count', 'attachment_count'])
)

const close = prepared((db, p: { id: number; target: number; messages: number; attachments: number; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({
    merged_into_id: p.target,
    status: 'Closed',
    message_count: p.messages,
    attachment_count: p.attachments,
    unanswered_of: null,
    updated_at: p.now
  })
)

/** Adds to the counts of a ticket; negative numbers subtract. */
export const addCounts = prepared((db: Db, p: { id: number; messages: number; attachments: number; now: Date }) =>
  db
    .updateTable('tickets')
    .where('id', '=', p.id)
    .set(eb => ({
      message_count: eb('message_count', '+', p.messages),
      attachment_count: eb('attachment_count', '+', p.attachments),
      // Null: the waiting time is read from both threads again.
      unanswered_of: null,
      updated_at: p.now
    }))
)
