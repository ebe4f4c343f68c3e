import { sql } from 'kysely'
import type { DeskActor, StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { ArticleState, LinkKind } from '../../core/tables/knowledge-base.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import type { Caller } from '../../kit/caller.ts'
import type { Page } from '../../lib/page.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { permittedTicketQuery, TicketNotFound, visibleTicketQuery } from '../../tickets/ticket/ticket-for.ts'
import { deskVisibility, preparedForVisible, readerVisibility } from '../../tickets/ticket/visibility.ts'
import { ArticleNotFound } from './articles.ts'
import { everything, type Sight, sightOf, visibleTexts } from './visibility.ts'

/** An article that a ticket has to do with, and how: for staff, so it may be a draft. */
interface TicketArticle {
  id: number
  title: string
  state: ArticleState
  how: LinkKind
}

export interface TicketArticles {
  articles: TicketArticle[]
  needs_article: boolean
}

/** A ticket that needs an article. */
export interface WantingTicket {
  id: number
  ticket_number: string
  subject: string
  status: TicketStatus
  created_at: Date
}

/** The articles that a ticket links, and whether it needs one. Throws `TicketNotFound`. */
export async function articlesOfTicket(db: Db, actor: DeskActor, ref: TicketRef): Promise<TicketArticles> {
  const ticket = await seenTicket(db, readerVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  return await articlesOf(db, ticket.id)
}

/** Says that an article solved a ticket, which then needs none any more; or takes that back. Throws `TicketNotFound`, `ArticleNotFound`. */
export async function setSolvedBy(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { ticket_id, article_id, isSolved }: { ticket_id: TicketRef; article_id: number; isSolved: boolean }
): Promise<TicketArticles> {
  return await act(services, { actor, caller }, async ({ db, now }) => {
    const { id: ticket } = await ticketToChange(db, actor, ticket_id, {})
    if (isSolved) {
      const [article] = await articleToLink(db, { ...everything, id: article_id })
      if (!article) throw ArticleNotFound({ errors: ['article_id'] })
      await addSolved(db, { article: article_id, ticket, staff: actor.id, now })
      await removeWanted(db, { ticket })
    } else await removeSolved(db, { article: article_id, ticket })
    return await articlesOf(db, ticket)
  })
}

/** Puts a ticket on the list of those that need an article, or takes it off. Throws `TicketNotFound`. */
export async function setNeedsArticle(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { ticket_id, isNeeded }: { ticket_id: TicketRef; isNeeded: boolean }
): Promise<TicketArticles> {
  return await act(services, { actor, caller }, async ({ db, now }) => {
    const { id: ticket } = await ticketToChange(db, actor, ticket_id, {})
    if (isNeeded) await addWanted(db, { ticket, staff: actor.id, now })
    else await removeWanted(db, { ticket })
    return await articlesOf(db, ticket)
  })
}

/** The tickets that need an article, as far as the actor sees them, the first named first. */
export async function wantingTickets(
  db: Db,
  actor: DeskActor,
  { limit, offset }: Page
): Promise<{ tickets: WantingTicket[]; total: number }> {
  const rows = await wanting(db, deskVisibility(actor), { limit, offset })
  return { tickets: rows.map(({ total: _, ...ticket }) => ticket), total: rows[0]?.total ?? 0 }
}

async function articlesOf(db: Db, ticket: number): Promise<TicketArticles> {
  const { settings } = await settingsOf(db)
  const { locales } = sightOf(undefined, settings)
  const [articles, [wanted]] = [
    await linkedArticles(db, { ...everything, locales, ticket }),
    await isWanted(db, { ticket })
  ]
  return { articles, needs_article: wanted !== undefined }
}

const seenTicket = visibleTicketQuery(tickets => tickets.select('tickets.id'))

const ticketToChange = permittedTicketQuery({ permission: 'tickets.reply' }, tickets => tickets.select('tickets.id'))

const articleToLink = prepared((db, p: Sight & { id: number }) =>
  visibleTexts(db, p).where('kb_articles.id', '=', p.id).select('kb_articles.id').limit(1)
)

const linkedArticles = prepared((db, p: Sight & { ticket: number }) =>
  visibleTexts(db, p)
    .innerJoin('kb_links', 'kb_links.article_id', 'kb_articles.id')
    .innerJoin('kb_versions', join =>
      join
        .onRef('kb_versions.article_id', '=', 'kb_texts.article_id')
        .onRef('kb_versions.locale', '=', 'kb_texts.locale')
        .onRef('kb_versions.version', '=', 'kb_texts.latest_version')
    )
    .where('kb_links.ticket_id', '=', p.ticket)
    .distinctOn(['kb_links.how', 'kb_articles.id'])
    .orderBy('kb_links.how', 'desc')
    .orderBy('kb_articles.id')
    .orderBy(sql`coalesce(array_position(${p.locales}::varchar[], kb_texts.locale), 100)`)
    .select(['kb_articles.id', 'kb_articles.state', 'kb_versions.title', 'kb_links.how'])
    .limit(50)
)

const isWanted = prepared((db, p: { ticket: number }) =>
  db.selectFrom('kb_wanted').where('ticket_id', '=', p.ticket).select('ticket_id')
)

const wanting = preparedForVisible((tickets, p: { limit: number; offset: number }) =>
  tickets
    .innerJoin('kb_wanted', 'kb_wanted.ticket_id', 'tickets.id')
    .select(['tickets.id', 'tickets.ticket_number', 'tickets.subject', 'tickets.status', 'kb_wanted.created_at'])
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .orderBy('kb_wanted.created_at')
    .orderBy('tickets.id')
    .limit(p.limit)
    .offset(p.offset)
)

const addSolved = prepared((db, p: { article: number; ticket: number; staff: number; now: Date }) =>
  db
    .insertInto('kb_links')
    .values({ article_id: p.article, ticket_id: p.ticket, how: 'solved', staff_id: p.staff, created_at: p.now })
    .onConflict(conflict => conflict.doNothing())
)

const removeSolved = prepared((db, p: { article: number; ticket: number }) =>
  db
    .deleteFrom('kb_links')
    .where('article_id', '=', p.article)
    .where('ticket_id', '=', p.ticket)
    .where('how', '=', 'solved')
)

const addWanted = prepared((db, p: { ticket: number; staff: number; now: Date }) =>
  db
    .insertInto('kb_wanted')
    .values({ ticket_id: p.ticket, staff_id: p.staff, created_at: p.now })
    .onConflict(conflict => conflict.doNothing())
)

const removeWanted = prepared((db, p: { ticket: number }) =>
  db.deleteFrom('kb_wanted').where('ticket_id', '=', p.ticket)
)
