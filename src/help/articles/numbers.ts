import { sql } from 'kysely'
import type { DeskActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { ArticleState } from '../../core/tables/knowledge-base.ts'
import { helpsTooFew } from './list-articles.ts'
import { wantingTickets } from './ticket-articles.ts'
import { everything, visibleTexts } from './visibility.ts'

/** What the knowledge base does for the desk, counted honestly: what readers have said, never what they may have thought (K8, K13). */
export interface Numbers {
  articles: Record<ArticleState, number>
  /** Articles of which fewer readers than 60 % of at least five say that they helped. */
  articles_not_helpful: number
  /** Articles that somebody asks to be published. */
  articles_asked: number
  /** Tickets that need an article, as far as the actor sees them. */
  tickets_wanting: number
  helpful: number
  not_helpful: number
  /** "This answered it": once for each reader and article. */
  solved: number
  /** Tickets into which articles were put. */
  tickets_with_articles: number
}

export async function numbersOf(db: Db, actor: DeskActor): Promise<Numbers> {
  const [said] = await answers(db, {})
  const [wanting] = await waiting(db, everything)
  const { total: tickets_wanting } = await wantingTickets(db, actor, { page: 1, limit: 1, offset: 0 })
  const states = await byState(db, everything)
  const count = (state: ArticleState) => states.find(each => each.state === state)?.articles ?? 0
  return {
    articles: { draft: count('draft'), published: count('published'), archived: count('archived') },
    ...wanting!,
    tickets_wanting,
    ...said!
  }
}

const byState = prepared((db, p: typeof everything) =>
  visibleTexts(db, p)
    .groupBy('kb_articles.state')
    .select(['kb_articles.state', sql<number>`count(distinct kb_articles.id)::int`.as('articles')])
)

const waiting = prepared((db, p: typeof everything) =>
  db
    .selectFrom(
      visibleTexts(db, p)
        .groupBy('kb_articles.id')
        .select(['kb_articles.id', 'kb_articles.publishing_asked_at'])
        .as('seen')
    )
    .select(sql<number>`(count(*) filter (where publishing_asked_at is not null))::int`.as('articles_asked'))
    .select(sql<number>`(count(*) filter (where ${helpsTooFew(sql`seen.id`)}))::int`.as('articles_not_helpful'))
)

const answers = prepared(db =>
  db
    .selectFrom('kb_feedback')
    .select([
      sql<number>`(count(*) filter (where is_helpful))::int`.as('helpful'),
      sql<number>`(count(*) filter (where not is_helpful))::int`.as('not_helpful'),
      sql<number>`count(solved_at)::int`.as('solved'),
      sql<number>`(select count(distinct ticket_id)::int from kb_links where how = 'inserted')`.as(
        'tickets_with_articles'
      )
    ])
)
