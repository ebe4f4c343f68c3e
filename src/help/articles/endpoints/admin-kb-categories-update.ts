import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import {
  AudienceInput,
  CategoryNames,
  CategorySlugs,
  CategoryView,
  categoryView,
  DryRun,
  EffectView,
  effectView,
  Position
} from '../article-schemas.ts'
import { CategoryNotFound } from '../categories.ts'
import { updateCategory as changeCategory } from '../change-categories.ts'

/** Changes or moves a category. What becomes visible to more or fewer people is told, with `dry_run` beforehand (K2). */
export const updateCategory = endpoint({
  path: '/api/admin/kb/categories/update',
  aliases: ['/api/admin/kb/categories/:id/update'],
  summary: 'Change or move a category of the knowledge base',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    id: Id(2),
    name: Type.Optional(CategoryNames),
    audience: Type.Optional(AudienceInput),
    parent_id: Type.Optional(Nullable(Id(1))),
    slug: Type.Optional(CategorySlugs),
    position: Type.Optional(Position),
    // In place of a position: the category of the same level before which it lies; null for the end.
    before_id: Type.Optional(Nullable(Id(4))),
    dry_run: DryRun,
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ category: CategoryView, effect: EffectView }),
  errors: [CategoryNotFound, VersionConflict],
  async handle({ body: { dry_run, ...changes }, actor, caller, services }) {
    const { category, effect } = await changeCategory(services, actor, caller, changes, dry_run === 1)
    return {
      message: dry_run === 1 ? 'What this changes' : 'Category changed',
      data: { category: categoryView(category), effect: effectView(effect) }
    }
  }
})
