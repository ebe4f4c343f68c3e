import { type DeskActor, hasPermission } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { type Article, articleWith, titleOf } from './articles.ts'
import { type Effect, effectOf } from './audience-effect.ts'
import { allCategories, categoryIn } from './categories.ts'
import { lockKnowledgeBase } from './revision.ts'
import { type PreparedText, preparedTexts, type TextChanges, writeTexts } from './write-texts.ts'

const maxArticles = 50_000

export const TooManyArticles = failure(409, 'too_many_articles', `There are ${maxArticles} articles already`)

/** Adds an article as a draft. Throws `CategoryNotFound`, `TooManyArticles`, `InvalidFields`. */
export async function createArticle(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  given: { category_id: number; audience: Audience | null; texts: Record<string, TextChanges> }
): Promise<Article> {
  const texts = await preparedTexts(services.db, {}, given.texts)
  return await act(services, { actor, caller }, async act => {
    await lockKnowledgeBase(act.db)
    const id = await insertArticle(act, actor, { ...given, texts })
    return await articleWith(act.db, id)
  })
}

/** Adds an article within a write that has locked the knowledge base. */
async function insertArticle(
  act: Act,
  actor: DeskActor,
  { category_id, audience, texts }: { category_id: number; audience: Audience | null; texts: PreparedText[] }
): Promise<number> {
  const { db, now } = act
  categoryIn(await allCategories(db), category_id)
  const [{ articles = 0 } = {}] = await countAll(db, {})
  if (articles >= maxArticles) throw TooManyArticles()
  const [added] = await insert(db, { category_id, audience, author: actor.id, now })
  await writeTexts(act, actor, added!.id, texts)
  const { title } = texts[0]!
  const facts = { title, category_id, audience, locales: texts.map(({ locale }) => locale) }
  act.happened({ kind: 'article.created', subject: { type: 'article', id: added!.id }, after: facts })
  return added!.id
}

/**
 * Changes what is given of an article: its place at once, its texts as a draft (K12). With `isDryRun` it only tells what becomes visible to whom. Throws
 * `ArticleNotFound`, `CategoryNotFound`, `VersionConflict`, `InvalidFields`, and `Forbidden` if something published would move or get another address (K4).
 */
export async function updateArticle(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  {
    id,
    expected_version,
    texts = {},
    ...place
  }: {
    id: number
    expected_version?: number | undefined
    category_id?: number
    audience?: Audience | null
    texts?: Record<string, TextChanges>
  },
  isDryRun: boolean
): Promise<{ article: Article; effect: Effect }> {
  // Before the transaction, since rendering takes its time.
  const changed = await preparedTexts(services.db, (await articleWith(services.db, id)).texts, texts)
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    if (!isDryRun) await lockKnowledgeBase(db)
    const former = await articleWith(db, id)
    requireVersion(former.version, expected_version)
    const categories = await allCategories(db)
    const { category_id = former.category_id, audience = former.audience } = place
    categoryIn(categories, category_id)
    const article = { id, category_id, audience }
    const effect = await effectOf(db, actor, { before: categories, after: categories, article })
    const isMoved = category_id !== former.category_id || audience !== former.audience
    if (isMoved && former.state !== 'draft' && !hasPermission(actor, 'departments.manage')) {
      throw Forbidden({ message: 'Whoever may not publish may move only drafts' })
    }
    const isReaddressed = changed.some(({ locale, slug }) => {
      const text = former.texts[locale]
      return text?.published_version && slug !== undefined && slug !== text.slug
    })
    if (isReaddressed && !hasPermission(actor, 'departments.manage')) {
      throw Forbidden({ message: 'Whoever may not publish may change the address of drafts alone' })
    }
    const written = isDryRun ? [] : await writeTexts(act, actor, id, changed)
    if (isDryRun || (!isMoved && written.length === 0)) return { article: former, effect }

    await rewrite(db, { id, category_id, audience, now: act.now })
    const after = await articleWith(db, id)
    const [subject, title] = [{ type: 'article', id } as const, titleOf(after)]
    if (isMoved) {
      const before = { title, category_id: former.category_id, audience: former.audience }
      act.happened({ kind: 'article.moved', subject, before, after: { title, category_id, audience } })
    }
    if (written.length > 0) act.happened({ kind: 'article.updated', subject, after: { title, locales: written } })
    return { article: after, effect }
  })
}

/** Raises the version of an article that was changed otherwise. */
export async function touchArticle(db: Db, id: number, now: Date): Promise<void> {
  await touch(db, { id, now })
}

const insert = prepared((db, p: { category_id: number; audience: Audience | null; author: number | null; now: Date }) =>
  db
    .insertInto('kb_articles')
    .values({
      category_id: p.category_id,
      audience: p.audience,
      state: 'draft',
      author_id: p.author,
      created_at: p.now,
      updated_at: p.now
    })
    .returning('id')
)

const rewrite = prepared((db, p: { id: number; category_id: number; audience: Audience | null; now: Date }) =>
  db
    .updateTable('kb_articles')
    .where('id', '=', p.id)
    .set(eb => ({
      category_id: p.category_id,
      audience: p.audience,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
)

const touch = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('kb_articles')
    .where('id', '=', p.id)
    .set(eb => ({ version: eb('version', '+', 1), updated_at: p.now }))
)

const countAll = prepared(db => db.selectFrom('kb_articles').select(eb => eb.fn.countAll<number>().as('articles')))
