import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { ArticleNotFound } from '../../help/articles/articles.ts'
import { everything, type Sight, visibleTexts } from '../../help/articles/visibility.ts'
import { Id, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { lasting, type PresenceState, setPresence } from '../../tickets/threads/presence.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../../tickets/ticket/ticket-for.ts'
import { readerVisibility } from '../../tickets/ticket/visibility.ts'

const present = { id: Id(2), name: OutputText('Grace Hopper'), since: Timestamp() }

/** Who is at a ticket now; always the complete list. */
export const PresenceView = Type.Object({
  ticket_id: Id(7),
  staff: Type.Array(Type.Object({ ...present, state: OneOf(['viewing', 'replying'] as const) }))
})

/** Who is at an article of the knowledge base now. */
export const ArticlePresenceView = Type.Object({
  article_id: Id(12),
  staff: Type.Array(Type.Object({ ...present, state: OneOf(['viewing', 'writing'] as const) }))
})

export type PresenceView = Static<typeof PresenceView>
export type ArticlePresenceView = Static<typeof ArticlePresenceView>

export const articlePresenceStates = ['viewing', 'writing', 'away'] as const

/** Records that this member of staff is at a ticket that they see, valid for `lasting`, or has left it. Throws `TicketNotFound`. */
export async function reportPresence(
  db: Db,
  actor: StaffActor,
  ref: TicketRef,
  state: PresenceState
): Promise<PresenceView> {
  const ticket = await seen(db, readerVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  await setPresence(db, actor, { ticket: ticket.id }, state)
  const { tickets } = await presenceNow(db)
  return tickets.get(ticket.id) ?? { ticket_id: ticket.id, staff: [] }
}

/** The same at an article, which all staff see. Throws `ArticleNotFound`. */
export async function reportArticlePresence(
  db: Db,
  actor: StaffActor,
  id: number,
  state: (typeof articlePresenceStates)[number]
): Promise<ArticlePresenceView> {
  if ((await seenArticle(db, { ...everything, id })).length === 0) throw ArticleNotFound()
  await setPresence(db, actor, { article: id }, state)
  const { articles } = await presenceNow(db)
  return articles.get(id) ?? { article_id: id, staff: [] }
}

export interface PresenceNow {
  tickets: ReadonlyMap<number, PresenceView>
  articles: ReadonlyMap<number, ArticlePresenceView>
}

/** Presence by ticket and by article; whoever came first is listed first. */
export async function presenceNow(db: Db): Promise<PresenceNow> {
  const [tickets, articles] = [new Map<number, PresenceView>(), new Map<number, ArticlePresenceView>()]
  for (const { ticket_id, article_id, state, since, first_name, last_name, id } of await presences(db, {})) {
    const member = { id, name: `${first_name} ${last_name}`, since: timestamp(since) }
    if (ticket_id !== null && state !== 'writing') {
      const view = tickets.get(ticket_id) ?? { ticket_id, staff: [] }
      view.staff.push({ ...member, state })
      tickets.set(ticket_id, view)
    }
    if (article_id !== null && state !== 'replying') {
      const view = articles.get(article_id) ?? { article_id, staff: [] }
      view.staff.push({ ...member, state })
      articles.set(article_id, view)
    }
  }
  return { tickets, articles }
}

const seen = visibleTicketQuery(tickets => tickets.select('tickets.id'))

const seenArticle = prepared((db, p: Sight & { id: number }) =>
  visibleTexts(db, p).where('kb_articles.id', '=', p.id).select('kb_articles.id').limit(1)
)

const presences = prepared(db =>
  db
    .selectFrom('presences')
    .innerJoin('staff', 'staff.id', 'presences.staff_id')
    .where('said_at', '>', sql<Date>`now() - ${lasting}`)
    .where('staff.is_active', '=', true)
    .select(['presences.ticket_id', 'presences.article_id', 'presences.state', 'presences.since'])
    .select(['staff.id', 'staff.first_name', 'staff.last_name'])
    .orderBy('presences.since')
    .orderBy('staff.id')
)
