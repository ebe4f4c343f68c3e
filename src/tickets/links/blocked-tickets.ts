import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Actor, SystemActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { type Failure, failure } from '../../kit/errors.ts'
import { OutputText } from '../../kit/schemas.ts'
import { isSeen, preparedForVisible, ticketsWith } from '../ticket/visibility.ts'
import { LinkedTicket } from './linked-tickets.ts'

/** `data` names the tickets that the caller sees, and says how many others there are. */
/** A third party whose answer in a side conversation closing waits for. */
export const AwaitedAnswer = Type.Object({
  conversation_id: Type.Integer({ minimum: 1, examples: [7] }),
  name: OutputText('Sungrid Service')
})

export const TicketBlocked = failure(
  409,
  'ticket_blocked',
  'Another ticket that is not closed blocks this one',
  Type.Object({
    blocked_by: Type.Array(LinkedTicket),
    blocked_by_unseen: Type.Integer({ minimum: 0, examples: [0] }),
    // Third parties whose answers in side conversations closing waits for.
    waiting_for: Type.Optional(Type.Array(AwaitedAnswer))
  })
)

/** The tickets that block one ticket, or what was merged into it, and are neither closed nor in the trash. */
function blockersOf(ticket: RawBuilder<number>) {
  return sql`ticket_links as link
    join tickets as named on named.id = link.from_id
    join tickets as blocker on blocker.id = coalesce(named.merged_into_id, named.id)
    where link.kind = 'blocks' and link.to_id = any(array(
        select ${ticket} union all select part.id from tickets as part where part.merged_into_id = ${ticket}))
      and blocker.status <> 'Closed' and blocker.trashed_at is null and blocker.id <> ${ticket}`
}

/** The side conversations of a ticket, or of what was merged into it, that closing waits for: nobody has answered in them yet. */
function awaitedBy(ticket: RawBuilder<number>) {
  return sql`side_conversations as conversation
    where conversation.waits and not conversation.is_answered and not conversation.is_closed and conversation.ticket_id = any(array(
      select ${ticket} union all select part.id from tickets as part where part.merged_into_id = ${ticket}))`
}

/** Within a query: whether the ticket with this id is blocked, so that closing it needs a second word. */
export function isBlocked(ticket: RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from ${blockersOf(ticket)}) or exists (select from ${awaitedBy(ticket)}))`
}

/** The refusal to close a ticket that is blocked; undefined if it is not. */
export async function blockOf(db: Db, actor: Actor | SystemActor, ticket: number): Promise<Failure | undefined> {
  const [found] = await blockers(db, ticketsWith(actor, 'tickets.view_all'), { ticket })
  const { seen, unseen, awaited } = found!
  if (seen.length + unseen + awaited.length === 0) return undefined
  const data = { blocked_by: seen, blocked_by_unseen: unseen, ...(awaited.length > 0 ? { waiting_for: awaited } : {}) }
  if (seen.length + unseen === 0) {
    const people = awaited.map(({ name }) => name).join(', ')
    return TicketBlocked({ message: `${people} did not answer yet: close it all the same with "force"`, data })
  }
  const numbers = seen.map(({ ticket_number }) => ticket_number)
  const names = [...numbers, ...(unseen > 0 ? [`${unseen} more that you do not see`] : [])].join(', ')
  return TicketBlocked({
    message: `This ticket is blocked by ${names}: close it all the same with "force"`,
    data
  })
}

const blockers = preparedForVisible((_tickets, p: { ticket: number }, db, boundVisibility) => {
  const ofTicket = blockersOf(sql<number>`${p.ticket}::bigint`)
  const isShown = isSeen(boundVisibility, 'blocker')
  return db.selectNoFrom([
    sql<Static<typeof LinkedTicket>[]>`(
      select coalesce(json_agg(blocker order by blocker.id), '[]') from (
        select distinct blocker.id, blocker.ticket_number, blocker.subject, blocker.status
        from ${ofTicket} and ${isShown}) as blocker)`.as('seen'),
    sql<number>`(select count(distinct blocker.id) from ${ofTicket} and not ${isShown})`.as('unseen'),
    sql<{ conversation_id: number; name: string }[]>`(
      select coalesce(json_agg(json_build_object('conversation_id', conversation.id, 'name', (
        select coalesce(nullif(person.name, ''), person.email) from side_participants as person
        where person.conversation_id = conversation.id order by person.id limit 1)) order by conversation.id), '[]')
      from ${awaitedBy(sql<number>`${p.ticket}::bigint`)})`.as('awaited')
  ])
})
