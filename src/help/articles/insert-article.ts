import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { permittedTicketQuery } from '../../tickets/ticket/ticket-for.ts'
import { articlePath } from './article-path.ts'
import { ArticleNotFound } from './articles.ts'
import { allCategories } from './categories.ts'
import { effectiveAudience, type Sight, sightOf, visibleArticles } from './visibility.ts'

export const ArticleForStaff = failure(
  409,
  'article_for_staff',
  'This article is for staff: the client could not open it. It fits into a note'
)

export interface InsertedArticle {
  id: number
  locale: string
  title: string
  /** The address with its origin, and the whole text. */
  url: string
  markdown: string
}

/**
 * What of an article is put into a reply or a note, in the language of the ticket's client, and that it was (K7, K13). Throws `TicketNotFound`,
 * `ArticleNotFound`, `ArticleForStaff`.
 */
export async function insertArticle(
  services: ActServices & Pick<Services, 'config'>,
  actor: StaffActor,
  caller: Caller,
  { article_id, ticket_id, as }: { article_id: number; ticket_id: TicketRef; as: 'reply' | 'note' }
): Promise<InsertedArticle> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const ticket = await ticketToAnswer(db, actor, ticket_id, {})
    const { settings } = await settingsOf(db)
    const [article] = await published(db, { ...sightOf(actor, settings, ticket.language ?? undefined), id: article_id })
    if (!article) throw ArticleNotFound({ errors: ['article_id'] })
    if (as === 'reply' && article.audience === 'staff') throw ArticleForStaff({ errors: ['article_id'] })
    await storeLink(db, { article: article.id, ticket: ticket.id, staff: actor.id, now })
    const { id, locale, title, markdown } = article
    const base = services.config.BASE_URL.replace(/\/+$/, '')
    return { id, locale, title, url: base + articlePath(await allCategories(db), article), markdown }
  })
}

const ticketToAnswer = permittedTicketQuery({ permission: 'tickets.reply' }, tickets =>
  tickets.innerJoin('clients', 'clients.id', 'tickets.client_id').select(['tickets.id', 'clients.language'])
)

const published = prepared((db, p: Sight & { id: number }) =>
  visibleArticles(db, p)
    .where('kb_articles.id', '=', p.id)
    .select(['kb_articles.id', 'kb_articles.category_id', 'kb_texts.locale', 'kb_texts.slug'])
    .select(['kb_versions.title', 'kb_versions.markdown', effectiveAudience.as('audience')])
)

const storeLink = prepared((db, p: { article: number; ticket: number; staff: number; now: Date }) =>
  db
    .insertInto('kb_links')
    .values({ article_id: p.article, ticket_id: p.ticket, how: 'inserted', staff_id: p.staff, created_at: p.now })
    .onConflict(conflict => conflict.doNothing())
)
