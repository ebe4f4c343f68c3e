import { sql } from 'kysely'
import type { DeskActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { LinkKind } from '../../core/tables/knowledge-base.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { preparedForVisible, readerVisibility } from '../../tickets/ticket/visibility.ts'

const maxLinked = 50

/** A ticket that has to do with an article, and how. */
export interface LinkedTicket {
  id: number
  ticket_number: string
  subject: string
  status: TicketStatus
  article_id: number
  how: LinkKind
}

/** The newest tickets that link one of these articles, as far as the actor sees them. */
export async function linkedTickets(db: Db, actor: DeskActor, articles: readonly number[]): Promise<LinkedTicket[]> {
  return articles.length === 0 ? [] : await linked(db, readerVisibility(actor), { articles })
}

const linked = preparedForVisible((tickets, p: { articles: readonly number[] }) =>
  tickets
    .innerJoin('kb_links', 'kb_links.ticket_id', 'tickets.id')
    .where('kb_links.article_id', '=', sql<number>`any(${p.articles}::bigint[])`)
    .select(['tickets.id', 'tickets.ticket_number', 'tickets.subject', 'tickets.status'])
    .select(['kb_links.article_id', 'kb_links.how'])
    .orderBy('kb_links.created_at', 'desc')
    .orderBy('tickets.id', 'desc')
    .limit(maxLinked)
)
