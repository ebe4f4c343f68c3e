import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { ArticleState } from '../../core/tables/knowledge-base.ts'
import { everything, visibleTexts } from './visibility.ts'

/** What the knowledge base does for the desk, counted honestly: what readers have said, never what they may have thought (K8, K13). */
export interface Numbers {
  articles: Record<ArticleState, number>
  helpful: number
  not_helpful: number
  /** "This answered it": once for each reader and article. */
  solved: number
  /** Tickets into which articles were put. */
  tickets_with_articles: number
}

export async function numbersOf(db: Db): Promise<Numbers> {
  const [said] = await answers(db, {})
  const states = await byState(db, everything)
  const count = (state: ArticleState) => states.find(each => each.state === state)?.articles ?? 0
  return {
    articles: { draft: count('draft'), published: count('published'), archived: count('archived') },
    ...said!
  }
}

const byState = prepared((db, p: typeof everything) =>
  visibleTexts(db, p)
    .groupBy('kb_articles.state')
    .select(['kb_articles.state', sql<number>`count(distinct kb_articles.id)::int`.as('articles')])
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
