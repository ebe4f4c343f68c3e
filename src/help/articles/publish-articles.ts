import type { DeskActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { ArticleState } from '../../core/tables/knowledge-base.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { type Article, articleWith, TextNotFound, titleOf } from './articles.ts'
import { lockKnowledgeBase } from './revision.ts'

export const ArticleArchived = failure(409, 'article_archived', 'The article is archived: take it back first')
export const ArticleNotArchived = failure(409, 'article_not_archived', 'Archive the article before you delete it')

interface OfArticle {
  id: number
  expected_version?: number | undefined
}

/** Publishes the latest text in this language, without one in all (K12). Throws `ArticleNotFound`, `TextNotFound`, `ArticleArchived`, `VersionConflict`. */
export async function publishArticle(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, locale, expected_version }: OfArticle & { locale?: string | undefined }
): Promise<Article> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const former = await lockedArticle(db, id, expected_version)
    if (former.state === 'archived') throw ArticleArchived()
    const texts = textsIn(former, locale).filter(([, text]) => text.published_version !== text.latest_version)
    if (texts.length === 0) return former
    await setState(db, { id, state: 'published', now })
    for (const [locale, { title, latest_version: version }] of texts) {
      await publishText(db, { id, locale, version, now })
      act.happened({ kind: 'article.published', subject: { type: 'article', id }, after: { title, locale, version } })
    }
    return await articleWith(db, id)
  })
}

/**
 * Takes an article out of use, or only its text in this language back. Without a published text it is archived. Throws `ArticleNotFound`, `TextNotFound`,
 * `VersionConflict`.
 */
export async function archiveArticle(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, locale, expected_version }: OfArticle & { locale?: string | undefined }
): Promise<Article> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const former = await lockedArticle(db, id, expected_version)
    if (former.state === 'archived') return former
    const rest = Object.entries(former.texts).filter(
      ([other, text]) => other !== locale && text.published_version !== null
    )
    const isPartial = locale !== undefined && rest.length > 0
    const subject = { type: 'article', id } as const
    if (isPartial) {
      const text = textWith(former, locale)
      if (text.published_version === null) return former
      await withdrawText(db, { id, locale })
      await setState(db, { id, state: 'published', now })
      act.happened({ kind: 'article.archived', subject, after: { title: text.title, locale } })
    } else {
      textsIn(former, locale)
      await setState(db, { id, state: 'archived', now })
      act.happened({ kind: 'article.archived', subject, after: { title: titleOf(former) } })
    }
    return await articleWith(db, id)
  })
}

/** Takes an archived article back: what was published is published again. Throws `ArticleNotFound`, `VersionConflict`. */
export async function unarchiveArticle(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, expected_version }: OfArticle
): Promise<Article> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const former = await lockedArticle(db, id, expected_version)
    if (former.state !== 'archived') return former
    const isPublished = Object.values(former.texts).some(({ published_version }) => published_version !== null)
    await setState(db, { id, state: isPublished ? 'published' : 'draft', now })
    act.happened({
      kind: 'article.unarchived',
      subject: { type: 'article', id },
      after: { title: titleOf(former) }
    })
    return await articleWith(db, id)
  })
}

/** Deletes an archived article for good, with its versions and its addresses. Throws `ArticleNotFound`, `ArticleNotArchived`, `VersionConflict`. */
export async function deleteArticle(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, expected_version }: OfArticle
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const former = await lockedArticle(act.db, id, expected_version)
    if (former.state !== 'archived') throw ArticleNotArchived()
    await remove(act.db, { id })
    act.happened({ kind: 'article.deleted', subject: { type: 'article', id }, before: { title: titleOf(former) } })
  })
}

/** The article, while nobody else changes the knowledge base. */
export async function lockedArticle(db: Db, id: number, expectedVersion: number | undefined): Promise<Article> {
  await lockKnowledgeBase(db)
  const article = await articleWith(db, id)
  requireVersion(article.version, expectedVersion)
  return article
}

function textWith(article: Article, locale: string) {
  return textsIn(article, locale)[0]![1]
}

type Entries = [locale: string, text: Article['texts'][string]][]

function textsIn({ texts }: Article, locale: string | undefined): Entries {
  const found = Object.entries(texts).filter(([each]) => locale === undefined || each === locale)
  if (found.length === 0) throw TextNotFound({ errors: ['locale'] })
  return found
}

const setState = prepared((db, p: { id: number; state: ArticleState; now: Date }) =>
  db
    .updateTable('kb_articles')
    .where('id', '=', p.id)
    .set(eb => ({
      state: p.state,
      publishing_asked_at: null,
      publishing_asked_by: null,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
)

const publishText = prepared((db, p: { id: number; locale: string; version: number; now: Date }) =>
  db
    .updateTable('kb_texts')
    .where('article_id', '=', p.id)
    .where('locale', '=', p.locale)
    .set({ published_version: p.version, published_at: p.now })
)

const withdrawText = prepared((db, p: { id: number; locale: string }) =>
  db
    .updateTable('kb_texts')
    .where('article_id', '=', p.id)
    .where('locale', '=', p.locale)
    .set({ published_version: null, published_at: null })
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('kb_articles').where('id', '=', p.id))
