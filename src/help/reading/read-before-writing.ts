import { sql } from 'kysely'
import type { ClientActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../../tickets/ticket/ticket-for.ts'
import { ownTickets } from '../../tickets/ticket/visibility.ts'
import { type Sight, sightOf, visibleTexts } from '../articles/visibility.ts'

/** A ticket tells of so many articles that its client has read before writing it. */
export const maxRead = 10

/**
 * Records which articles a client has opened from the form before they wrote this ticket of theirs: staff need not send them what did not help. Articles that
 * they may not see are left out, without a word. Throws `TicketNotFound`.
 */
export async function recordRead(
  services: ActServices,
  actor: ClientActor,
  caller: Origin,
  { ticket_id, article_ids }: { ticket_id: TicketRef; article_ids: readonly number[] }
): Promise<void> {
  await act(services, { actor, caller }, async ({ db, now }) => {
    const ticket = await ownTicket(db, ownTickets(actor), ticket_id, {})
    if (!ticket) throw TicketNotFound()
    const { settings } = await settingsOf(db)
    await storeRead(db, { ...sightOf(actor, settings), articles: article_ids, ticket: ticket.id, now })
  })
}

// It is locked, so that several requests at once record no more than one.
const ownTicket = visibleTicketQuery(tickets => tickets.select('tickets.id').forNoKeyUpdate())

const storeRead = prepared((db, p: Sight & { articles: readonly number[]; ticket: number; now: Date }) =>
  db
    .insertInto('kb_links')
    .columns(['article_id', 'ticket_id', 'how', 'created_at'])
    .expression(
      visibleTexts(db, p)
        .where('kb_articles.id', '=', sql<number>`any(${p.articles}::bigint[])`)
        .where(
          sql<boolean>`not exists (select from kb_links where article_id = kb_articles.id
            and ticket_id = ${p.ticket} and how = 'suggested')`
        )
        .distinct()
        .select([
          'kb_articles.id as article_id',
          sql<number>`${p.ticket}::bigint`.as('ticket_id'),
          sql<'suggested'>`'suggested'`.as('how'),
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
        .limit(
          sql<number>`${sql.lit(maxRead)} - (select count(*) from kb_links
            where ticket_id = ${p.ticket} and how = 'suggested')`
        )
    )
    .onConflict(conflict => conflict.doNothing())
)
