import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable } from '../../../kit/schemas.ts'
import {
  AudienceInput,
  CategoryNames,
  CategorySlugs,
  CategoryView,
  categoryView,
  Position
} from '../article-schemas.ts'
import { CategoryNotFound } from '../categories.ts'
import { createCategory as addCategory, TooManyCategories } from '../change-categories.ts'

/** Adds a category, at the end of its level unless a position is given. */
export const createCategory = endpoint({
  path: '/api/admin/kb/categories/create',
  summary: 'Create a category of the knowledge base',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    name: CategoryNames,
    audience: AudienceInput,
    parent_id: Type.Optional(Nullable(Id(1))),
    slug: Type.Optional(CategorySlugs),
    position: Type.Optional(Position)
  }),
  status: 201,
  data: Type.Object({ category: CategoryView }),
  errors: [CategoryNotFound, TooManyCategories],
  async handle({ body, actor, caller, services }) {
    const category = await addCategory(services, actor, caller, body)
    return { message: 'Category created', data: { category: categoryView(category) } }
  }
})
