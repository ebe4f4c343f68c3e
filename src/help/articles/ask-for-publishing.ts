import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { type Article, articleWith, titleOf } from './articles.ts'
import { ArticleArchived, lockedArticle } from './publish-articles.ts'

export const NothingToPublish = failure(409, 'nothing_to_publish', 'All texts of the article are published already')

/**
 * Marks an article with a text that is not published, so that whoever may publish sees it; asking again changes nothing. Publishing and archiving take
 * the mark away. Throws `ArticleNotFound`, `ArticleArchived`, `NothingToPublish`, `VersionConflict`.
 */
export async function askForPublishing(
  services: ActServices,
  actor: StaffActor,
  caller: Origin,
  { id, expected_version }: { id: number; expected_version?: number | undefined }
): Promise<Article> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const former = await lockedArticle(db, id, expected_version)
    if (former.state === 'archived') throw ArticleArchived()
    const drafts = Object.values(former.texts).filter(text => text.published_version !== text.latest_version)
    if (drafts.length === 0) throw NothingToPublish()
    if (former.publishing_asked_at) return former
    await mark(db, { id, by: actor.id, now })
    const after = { title: titleOf(former) }
    act.happened({ kind: 'article.publishing_asked', subject: { type: 'article', id }, after })
    return await articleWith(db, id)
  })
}

const mark = prepared((db, p: { id: number; by: number; now: Date }) =>
  db
    .updateTable('kb_articles')
    .where('id', '=', p.id)
    .set(eb => ({
      publishing_asked_at: p.now,
      publishing_asked_by: p.by,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
)
