import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { CategoryView, categoryView } from '../article-schemas.ts'
import { allCategories } from '../categories.ts'

export const listCategories = endpoint({
  path: '/api/admin/kb/categories/list',
  aliases: ['/api/admin/kb/categories'],
  summary: 'List the categories of the knowledge base',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  data: Type.Object({ categories: Type.Array(CategoryView) }),
  async handle({ services }) {
    const categories = [...(await allCategories(services.db)).values()]
    return { message: 'Categories', data: { categories: categories.map(categoryView) } }
  }
})
