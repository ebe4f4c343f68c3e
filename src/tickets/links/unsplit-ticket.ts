import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { changeTicketCount } from '../ticket/client-ticket-counts.ts'
import { type LockedTicket, lockedWithMerged, visibleTicketNow } from '../ticket/locked-ticket.ts'
import { changedTicket } from '../ticket/queue-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { refuseAway } from './locked-tickets.ts'
import { changeCounts, moveBack } from './move-entries.ts'

export const NotSplit = failure(409, 'not_split', 'This ticket was not split off another one')
export const WrittenSince = failure(
  409,
  'written_since',
  'Somebody has written in the new ticket since, or has changed what it holds: it can only be merged now'
)

type UndoServices = ActServices & Pick<Services, 'events'>

/**
 * Undoes a split, given the new ticket, while nobody has written there, a note included: its messages and notes are back in the former ticket as
 * they were, and the new ticket is gone; its number is not used again. Throws `TicketNotFound` unless the actor sees both, `NotSplit`, `WrittenSince`,
 * `TicketMerged`, `TicketTrashed`.
 */
export async function unsplitTicket(
  services: UndoServices,
  { actor, caller }: { actor: StaffActor; caller: Origin },
  ref: TicketRef
) {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const visibility = readerVisibility(actor)
    const seen = await visibleTicketNow(db, visibility, ref, {})
    if (!seen) throw TicketNotFound()
    const [split] = await splitInto(db, { target: seen.id })
    if (!split) throw NotSplit()
    // The former ticket has the lower id. A merge into either changes rows that are locked here.
    const [source] = await lockedWithMerged(db, [split.source_id]).then(found =>
      found.filter(({ id }) => id === split.source_id)
    )
    if (!source || !(await visibleTicketNow(db, visibility, source.id, {}))) throw TicketNotFound()
    await refuseAway(db, actor, source)
    const event = await unsplitLocked(services, act, actor, source, split.target_id)
    act.happened({ ...event, ticket: source.id })
    const { ticket_id, ticket_number } = event.before
    return { ticket: await changedTicket(db, source.id), unsplit_id: ticket_id, ticket_number }
  })
}

/** The same for a former ticket that is locked; returns its event. */
export async function unsplitLocked(
  services: Pick<Services, 'events'>,
  act: Act,
  actor: StaffActor,
  source: LockedTicket,
  targetId: number
) {
  const { db, now } = act
  const target = (await lockedWithMerged(db, [targetId], { toRemove: true })).find(({ id }) => id === targetId)
  const [split] = await splitInto(db, { target: targetId })
  if (!target || split?.source_id !== source.id) throw NotSplit()
  await refuseAway(db, actor, target)
  const { message_ids: messages, note_ids: noteIds, client_emails: clientEmails } = split
  const [held] = await heldBy(db, { ticket: targetId, messages, notes: noteIds })
  if (!held!.is_untouched) throw WrittenSince()

  const moved = await messagesOf(db, { ticket: targetId })
  // Its events lose their texts: pending ones are sequenced into the audit log first.
  await services.events.sequenceWithin(db)
  const files = await moveBack(db, { from: targetId, to: source.id, clientEmails })
  await changeCounts(db, { id: source.id, messages: messages.length, files })
  await removeTicket(db, { id: targetId })
  await changeTicketCount(db, { client: target.client_id, more: -1 })
  await markUndone(db, { target: targetId, now })

  const before = { ticket_id: targetId, ticket_number: target.ticket_number }
  const facts = moved.map(({ received_at, ...message }) => ({ ...message, received_at: received_at.toISOString() }))
  const after = { messages: facts, note_ids: noteIds }
  act.happened({
    kind: 'ticket.unsplit',
    ticket: targetId,
    clientId: target.client_id,
    before,
    after,
    logged: false
  })
  return { kind: 'ticket.unsplit' as const, before, after }
}

const splitInto = prepared((db: Db, p: { target: number }) =>
  db
    .selectFrom('ticket_splits')
    .where('target_id', '=', p.target)
    .where('undone_at', 'is', null)
    .select(['source_id', 'target_id', 'message_ids', 'note_ids', 'client_emails'])
)

/** Whether the ticket holds exactly these messages and notes, no reply waits to go, and nothing was merged into it. Ask once it is locked. */
const heldBy = prepared((db: Db, p: { ticket: number; messages: readonly number[]; notes: readonly number[] }) => {
  const isExactly = (table: 'ticket_messages' | 'ticket_notes', ids: readonly number[]) => sql<boolean>`(
    select count(*) = cardinality(${ids}::bigint[]) and coalesce(bool_and(id = any(${ids}::bigint[])), true)
    from ${sql.table(table)} where ticket_id = ${p.ticket})`
  return db.selectNoFrom(
    sql<boolean>`${isExactly('ticket_messages', p.messages)} and ${isExactly('ticket_notes', p.notes)}
      and not exists (select from tickets as part where part.merged_into_id = ${p.ticket})
      and not exists (select from waiting_replies where ticket_id = ${p.ticket} and state = 'waiting')`.as(
      'is_untouched'
    )
  )
})

const messagesOf = prepared((db: Db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_messages as message')
    .leftJoin('message_emails as mailed', 'mailed.message_id', 'message.id')
    .leftJoin('inbound_mails as mail', 'mail.id', 'mailed.mail_id')
    .where('message.ticket_id', '=', p.ticket)
    .select(['message.id as message_id', 'message.sender_type'])
    .select(({ fn }) => fn.coalesce('mail.received_at', 'message.created_at').as('received_at'))
    .orderBy('message.id')
)

const removeTicket = prepared((db: Db, p: { id: number }) => db.deleteFrom('tickets').where('id', '=', p.id))

const markUndone = prepared((db: Db, p: { target: number; now: Date }) =>
  db.updateTable('ticket_splits').where('target_id', '=', p.target).set({ undone_at: p.now, client_emails: sql`'{}'` })
)
