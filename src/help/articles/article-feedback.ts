import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** What readers have said of an article. */
export interface ArticleFeedback {
  helpful: number
  not_helpful: number
  /** What those whom it did not help have missed, the newest first. Who wrote it is not told. */
  comments: { comment: string; locale: string; updated_at: Date }[]
}

const maxComments = 50

/** What readers have said of an article (K8). */
export async function feedbackOf(db: Db, id: number): Promise<ArticleFeedback> {
  const [counts] = await countsOf(db, { id })
  return { ...counts!, comments: await commentsOf(db, { id }) }
}

const countsOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('kb_feedback')
    .where('article_id', '=', p.id)
    .select(sql<number>`(count(*) filter (where is_helpful))::int`.as('helpful'))
    .select(sql<number>`(count(*) filter (where not is_helpful))::int`.as('not_helpful'))
)

const commentsOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('kb_feedback')
    .where('article_id', '=', p.id)
    .where(sql<boolean>`not is_helpful`)
    .where('comment', 'is not', null)
    .select([sql<string>`comment`.as('comment'), 'locale', 'updated_at'])
    .orderBy('updated_at', 'desc')
    .limit(maxComments)
)
