import type { Actor } from '../../core/actor.ts'
import { accountName } from '../../core/actor.ts'
import { prepared } from '../../core/db.ts'
import { countArticleAnswer } from '../../core/rate-limits/use-limits.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { networksOf } from '../../lib/network.ts'
import { sightOf } from '../articles/visibility.ts'
import { readableArticle } from './read-articles.ts'

type World = Pick<Services, 'db' | 'clock' | 'realClock' | 'config' | 'metrics' | 'log' | 'keys'>

interface Reader {
  actor: Actor | undefined
  caller: { ip: string; userAgent: string }
}

/** Records whether an article helped this reader: one answer for each, which may be changed. Throws `ArticleNotFound`. */
export async function answerFeedback(
  services: World,
  { actor, caller }: Reader,
  given: { article_id: number; locale: string; isHelpful: boolean; comment: string | null }
): Promise<void> {
  const { article_id: id, isHelpful, comment } = given
  const place = await readPlace(services, { actor, caller }, given)
  await storeAnswer(services.db, { id, ...place, isHelpful, comment })
}

/**
 * Records that an article answered the question: the reader says so, leaving the page does not (K8, K13); or that it did not after all. Throws
 * `ArticleNotFound`.
 */
export async function answerSolved(
  services: World,
  reader: Reader,
  given: { article_id: number; locale: string; isSolved: boolean }
): Promise<void> {
  const place = await readPlace(services, reader, given)
  const at = { id: given.article_id, ...place }
  if (given.isSolved) return void (await storeSolved(services.db, at))
  await forgetSolved(services.db, at)
}

/** Counts the answer, and requires that the reader may read the article. */
async function readPlace(
  services: World,
  { actor, caller }: Reader,
  { article_id: id, locale: asked }: { article_id: number; locale: string }
) {
  countArticleAnswer(services, caller.ip)
  const { settings } = await settingsOf(services.db)
  const { locale } = await readableArticle(services.db, sightOf(actor, settings, asked), { id })
  const client = actor?.population === 'client' ? actor.id : null
  return { reader: readerKey(services, actor, caller), locale, client, now: services.clock.now() }
}

/** An account; of somebody without one a keyed digest, from which neither the address nor the browser can be told. */
function readerKey({ keys }: Pick<World, 'keys'>, actor: Actor | undefined, { ip, userAgent }: Reader['caller']) {
  if (actor) return accountName(actor)
  return keys.digest('article reader', `${networksOf(ip)[0]} ${userAgent}`)
}

interface Place {
  id: number
  reader: string
  locale: string
  client: number | null
  now: Date
}

const storeAnswer = prepared((db, p: Place & { isHelpful: boolean; comment: string | null }) =>
  db
    .insertInto('kb_feedback')
    .values({ ...rowOf(p), is_helpful: p.isHelpful, comment: p.comment, solved_at: null })
    .onConflict(conflict =>
      conflict
        .columns(['article_id', 'reader'])
        .doUpdateSet({ locale: p.locale, is_helpful: p.isHelpful, comment: p.comment, updated_at: p.now })
    )
)

const storeSolved = prepared((db, p: Place) =>
  db
    .insertInto('kb_feedback')
    .values({ ...rowOf(p), is_helpful: null, comment: null, solved_at: p.now })
    .onConflict(conflict =>
      conflict.columns(['article_id', 'reader']).doUpdateSet({ solved_at: p.now, updated_at: p.now })
    )
)

const forgetSolved = prepared((db, p: Place) =>
  db
    .updateTable('kb_feedback')
    .where('article_id', '=', p.id)
    .where('reader', '=', p.reader)
    .set({ solved_at: null, updated_at: p.now })
)

function rowOf(p: Place) {
  return {
    article_id: p.id,
    reader: p.reader,
    locale: p.locale,
    client_id: p.client,
    created_at: p.now,
    updated_at: p.now
  }
}
