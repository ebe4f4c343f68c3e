import { sql } from 'kysely'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { failure } from '../../kit/errors.ts'
import type { Change } from '../ticket/change-ticket.ts'
import { lockedPair } from '../ticket/locked-pair.ts'
import { lockClientOf, ticketReference, visibleTicketNow } from '../ticket/locked-ticket.ts'
import { changedTicket } from '../ticket/queue-ticket.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { addCounts } from './merge-tickets.ts'

export const NotMerged = failure(409, 'not_merged', 'This ticket has not been merged into another one')

/**
 * Separates a ticket from its merge target, with its former status and what had been merged into it; replies since the merge stay with the
 * target. The actor has to see both. Throws `TicketNotFound`, `VersionConflict`, `NotMerged`.
 */
export async function unmergeTicket(services: ActServices, { actor, caller, ref, expectedVersion }: Change) {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const visibility = deskVisibility(actor)
    // Merging and unmerging lock the client: from here on the merge target cannot change.
    await lockClientOf(db, visibility, ref)
    const seen = await visibleTicketNow(db, visibility, ref, {})
    if (!seen) throw TicketNotFound()
    if (seen.merged_into_id === null) throw NotMerged()
    const [source, target] = await lockedPair(db, actor, seen.id, seen.merged_into_id, expectedVersion)
    const parts = await partsOf(db, { source: source.id, target: target.id })
    const messages = parts.reduce((sum, part) => sum + part.message_count, source.message_count)
    const attachments = parts.reduce((sum, part) => sum + part.attachment_count, source.attachment_count)

    const { now } = act
    const [merge] = await formerStatus(db, { id: source.id })
    const status = merge?.status ?? 'Open'
    await reopen(db, { id: source.id, status, messages, attachments, now })
    await bringAlong(db, { ids: parts.map(({ id }) => id), to: source.id })
    await addCounts(db, { id: target.id, messages: -messages, attachments: -attachments, now })

    const along = merge?.has_absorbed && { brought_along: parts.map(({ id }) => id) }
    const released = { merged: ticketReference(source), ...along }
    act.happened({ kind: 'ticket.released', ticket: target.id, before: released })
    for (const { id } of parts) {
      const change = {
        before: { merged_into: ticketReference(target) },
        after: { merged_into: ticketReference(source) }
      }
      act.happened({ kind: 'ticket.merge_moved', ticket: id, ...change })
    }
    const before = { status: source.status, merged_into: ticketReference(target) }
    act.happened({ kind: 'ticket.unmerged', ticket: source.id, before, after: { status, ...along } })
    return { ticket: await changedTicket(db, source.id), formerly_in: await changedTicket(db, target.id) }
  })
}

/** The status of the ticket when it was merged, from its timeline, and whether others were ever merged into it. */
const formerStatus = prepared((db, p: { id: number }) =>
  db
    .selectFrom('events')
    .where('ticket_id', '=', p.id)
    .where('kind', '=', sql.lit('ticket.merged'))
    .select(sql<TicketStatus>`before ->> 'status'`.as('status'))
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('events as event')
          .where('event.ticket_id', '=', p.id)
          .where('event.kind', '=', sql.lit('ticket.absorbed'))
          .select('event.id')
      ).as('has_absorbed')
    )
    .orderBy('id', 'desc')
    .limit(1)
)

const reopen = prepared(
  (db, p: { id: number; status: TicketStatus; messages: number; attachments: number; now: Date }) =>
    db.updateTable('tickets').where('id', '=', p.id).set({
      merged_into_id: null,
      status: p.status,
      message_count: p.messages,
      attachment_count: p.attachments,
      unanswered_of: null,
      updated_at: p.now
    })
)

/**
 * Those tickets merged into the target that came with the source: by their timelines they were merged into the source, or into one that
 * was, and not elsewhere since.
 */
const partsOf = prepared((db, p: { source: number; target: number }) =>
  db
    .withRecursive('direct', db =>
      db
        .selectFrom('tickets as part')
        .where('part.merged_into_id', '=', p.target)
        .select(['part.id', 'part.message_count', 'part.attachment_count'])
        .select(({ selectFrom }) =>
          selectFrom('events as event')
            .whereRef('event.ticket_id', '=', 'part.id')
            .where('event.kind', '=', sql.lit('ticket.merged'))
            .select(sql<number>`(event.after -> 'merged_into' ->> 'id')::bigint`.as('into'))
            .orderBy('event.id', 'desc')
            .limit(sql.lit(1))
            .as('merged_into')
        )
    )
    .withRecursive('chain', db =>
      db
        .selectFrom('direct')
        .where('direct.merged_into', '=', p.source)
        .select(['direct.id', 'direct.message_count', 'direct.attachment_count'])
        .union(db =>
          db
            .selectFrom('direct')
            .innerJoin('chain', 'chain.id', 'direct.merged_into')
            .select(['direct.id', 'direct.message_count', 'direct.attachment_count'])
        )
    )
    .selectFrom('chain')
    .select(['chain.id', 'chain.message_count', 'chain.attachment_count'])
    .orderBy('chain.id')
)

const bringAlong = prepared((db, p: { ids: readonly number[]; to: number }) =>
  db.updateTable('tickets').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).set({ merged_into_id: p.to })
)
