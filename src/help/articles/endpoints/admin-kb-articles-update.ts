import { Type } from 'typebox'
import { hasPermission } from '../../../core/actor.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id, Nullable } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import {
  ArticleTexts,
  ArticleView,
  AudienceInput,
  articleView,
  DryRun,
  EffectView,
  effectView
} from '../article-schemas.ts'
import { ArticleNotFound } from '../articles.ts'
import { CategoryNotFound } from '../categories.ts'
import { updateArticle as changeArticle } from '../change-articles.ts'

/** Texts become drafts; the category and the audience count at once, so of what is published only those who may publish change them (K4, K12). */
export const updateArticle = endpoint({
  path: '/api/admin/kb/articles/update',
  aliases: ['/api/admin/kb/articles/:id/update'],
  summary: 'Change an article of the knowledge base: its texts as a draft, its category and audience at once',
  access: { anyOf: ['tickets.reply', 'departments.manage'] },
  about: 'caller',
  body: Type.Object({
    id: Id(12),
    category_id: Type.Optional(Id(2)),
    audience: Type.Optional({ ...Nullable(AudienceInput), description: 'null: that of its category.' }),
    texts: Type.Optional(ArticleTexts),
    dry_run: DryRun,
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ article: ArticleView, effect: EffectView }),
  errors: [ArticleNotFound, CategoryNotFound, VersionConflict, Forbidden],
  async handle({ body: { dry_run, ...changes }, actor, caller, services }) {
    if (changes.texts && !hasPermission(actor, 'tickets.reply')) throw Forbidden({ lacks: ['tickets.reply'] })
    const { article, effect } = await changeArticle(services, actor, caller, changes, dry_run === 1)
    return {
      message: dry_run === 1 ? 'What this changes' : 'Article changed',
      data: { article: articleView(article), effect: effectView(effect) }
    }
  }
})
