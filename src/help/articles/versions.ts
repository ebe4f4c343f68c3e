import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import type { Page } from '../../lib/page.ts'
import { type Article, articleWith, TextNotFound, titleOf } from './articles.ts'
import { touchArticle } from './change-articles.ts'
import { lockedArticle } from './publish-articles.ts'
import { writeTexts } from './write-texts.ts'

export const ArticleVersionNotFound = failure(404, 'article_version_not_found', 'There is no such version of the text')

export interface ArticleVersion {
  version: number
  title: string
  markdown: string
  author_name: string
  author_token: string | null
  created_at: Date
  is_published: boolean
}

/** The versions of a text, the newest first. Throws `ArticleNotFound`, `TextNotFound`. */
export async function versionsOf(
  db: Db,
  { id, locale }: { id: number; locale: string },
  { limit, offset }: Page
): Promise<{ versions: ArticleVersion[]; total: number }> {
  if (!Object.hasOwn((await articleWith(db, id)).texts, locale)) throw TextNotFound({ errors: ['locale'] })
  const [[{ total = 0 } = {}], versions] = [
    await countOf(db, { id, locale }),
    await newest(db, { id, locale, limit, offset })
  ]
  return { versions, total }
}

/** Makes the text of a former version the latest one, as a draft (K12). Throws `ArticleNotFound`, `ArticleVersionNotFound`, `VersionConflict`. */
export async function restoreVersion(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: { id: number; locale: string; version: number; expected_version?: number | undefined }
): Promise<Article> {
  const { id, locale, version, expected_version } = given
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedArticle(db, id, expected_version)
    const [text] = await stored(db, { id, locale, version })
    if (!text) throw ArticleVersionNotFound({ errors: ['version'] })
    const written = await writeTexts(act, actor, id, [{ locale, ...text, slug: undefined }])
    if (written.length === 0) return former
    await touchArticle(db, id, act.now)
    const article = await articleWith(db, id)
    const after = { title: titleOf(article), locales: written }
    act.happened({ kind: 'article.updated', subject: { type: 'article', id }, after })
    return article
  })
}

type OfText = { id: number; locale: string }

const newest = prepared((db, p: OfText & { limit: number; offset: number }) =>
  db
    .selectFrom('kb_versions')
    .innerJoin('kb_texts', join =>
      join
        .onRef('kb_texts.article_id', '=', 'kb_versions.article_id')
        .onRef('kb_texts.locale', '=', 'kb_versions.locale')
    )
    .where('kb_versions.article_id', '=', p.id)
    .where('kb_versions.locale', '=', p.locale)
    .select(['kb_versions.version', 'kb_versions.title', 'kb_versions.markdown', 'kb_versions.author_name'])
    .select('kb_versions.author_token')
    .select(['kb_versions.created_at'])
    .select(sql<boolean>`kb_texts.published_version is not distinct from kb_versions.version`.as('is_published'))
    .orderBy('kb_versions.version', 'desc')
    .limit(p.limit)
    .offset(p.offset)
)

const countOf = prepared((db, p: OfText) =>
  db
    .selectFrom('kb_versions')
    .where('article_id', '=', p.id)
    .where('locale', '=', p.locale)
    .select(eb => eb.fn.countAll<number>().as('total'))
)

const stored = prepared((db, p: OfText & { version: number }) =>
  db
    .selectFrom('kb_versions')
    .where('article_id', '=', p.id)
    .where('locale', '=', p.locale)
    .where('version', '=', p.version)
    .select(['title', 'markdown', 'html', 'plain'])
)
