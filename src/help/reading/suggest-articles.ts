import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import { effectiveAudience, type Sight, visibleArticles, visibleTexts } from '../articles/visibility.ts'

export interface SuggestedArticle {
  id: number
  category_id: number
  locale: string
  title: string
  slug: string
  audience: Audience
}

/** So many letters of a message are looked at. */
const maxLetters = 500
/** So many words: the rarest of those that articles have. */
const maxWords = 8
const maxSuggested = 3
/** An article has to have this share of what the words weigh, a rare word weighing more. */
const leastShare = 0.3

/**
 * At most three articles that may answer what somebody is writing (K8): those that have the most of its rarest words, and not only one of several. What is
 * typed is neither stored nor logged.
 */
export async function suggestArticles(
  db: Db,
  sight: Sight,
  { subject, message = '' }: { subject: string; message?: string | undefined }
): Promise<SuggestedArticle[]> {
  const text = `${subject} ${message.slice(0, maxLetters)}`.toWellFormed()
  const words = await rarest(db, { ...sight, text })
  if (words.length === 0) return []
  const sum = words.reduce((sum, { weight }) => sum + weight, 0)
  return await bestWith(db, {
    ...sight,
    words: words.map(({ word }) => word),
    weights: words.map(({ weight }) => weight),
    leastWords: Math.min(2, words.length),
    leastWeight: leastShare * sum
  })
}

// The stems of the words, without stop words; a word that hardly an article lacks says nothing. Words that the reader finds in no article count as
// unknown: else one could ask for a word beside a known one, and tell whether articles for others have it (K1).
const rarest = prepared((db, p: Sight & { text: string }) =>
  db
    .selectFrom('kb_words')
    .where('word', '=', sql<string>`any(tsvector_to_array(search_stems(search_clean(${p.text}))))`)
    .where(({ exists }) =>
      exists(
        visibleTexts(db, p)
          .where(sql<boolean>`kb_texts.words @@ quote_literal(kb_words.word)::tsquery`)
          .select('kb_texts.id')
      )
    )
    .select([
      'word',
      sql<number>`ln(1 + (select count(*) from kb_texts where words is not null) / texts::float8)`.as('weight')
    ])
    .orderBy('texts')
    .orderBy('word')
    .limit(sql.lit(maxWords))
)

const bestWith = prepared(
  (db, p: Sight & { words: readonly string[]; weights: readonly number[]; leastWords: number; leastWeight: number }) =>
    db
      .with('hits', db =>
        db
          .selectFrom(
            sql<{ id: number; weight: number }>`unnest(${p.words}::text[], ${p.weights}::float8[])`.as<'sought'>(
              sql`sought (word, weight)`
            )
          )
          .innerJoinLateral(
            db =>
              db
                .selectFrom('kb_texts')
                .where(sql<boolean>`kb_texts.words @@ quote_literal(sought.word)::tsquery`)
                .select('kb_texts.id')
                .as('having_it'),
            join => join.onTrue()
          )
          .groupBy('having_it.id')
          .having(sql<boolean>`count(*) >= ${p.leastWords} and sum(sought.weight) >= ${p.leastWeight}`)
          .select(['having_it.id as text_id', sql<number>`sum(sought.weight)`.as('weight')])
      )
      .with('seen', () =>
        visibleArticles(db, p)
          .innerJoin(sql<{ text_id: number; weight: number }>`hits`.as('hits'), 'hits.text_id', 'kb_texts.id')
          .select(['kb_articles.id', 'kb_articles.category_id', 'kb_texts.locale', 'kb_texts.slug'])
          .select(['kb_versions.title', 'hits.weight', 'hits.text_id', effectiveAudience.as('audience')])
          .orderBy('hits.weight', 'desc')
          .orderBy('kb_articles.id')
          .limit(20)
      )
      .selectFrom('seen')
      .innerJoin('kb_texts', 'kb_texts.id', 'seen.text_id')
      .select(['seen.id', 'seen.category_id', 'seen.locale', 'seen.title', 'seen.slug', 'seen.audience'])
      // Of the best, first those that have the words in the title or close together.
      .orderBy(
        sql`seen.weight + ts_rank_cd(kb_texts.words, array_to_string(
          array(select quote_literal(each) from unnest(${p.words}::text[]) as each), ' | ')::tsquery)`,
        'desc'
      )
      .orderBy('seen.id')
      .limit(sql.lit(maxSuggested))
)
