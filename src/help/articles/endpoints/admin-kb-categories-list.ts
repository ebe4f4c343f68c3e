import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { CategoryView, categoryView } from '../article-schemas.ts'
import { allCategories } from '../categories.ts'

export const listCategories = endpoint({
  path: '/api/admin/kb/categories/list',
  aliases: ['/api/admin/kb/categories'],
  summary: 'List the categories of the knowledge base',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  data: Type.Object({
    categories: Type.Array(CategoryView),
    languages: Type.Array(Type.String(), { examples: [['en', 'de']], description: 'Those of the help centre.' })
  }),
  async handle({ services }) {
    const categories = [...(await allCategories(services.db)).values()]
    const { help_languages: languages } = (await settingsOf(services.db)).settings
    return { message: 'Categories', data: { categories: categories.map(categoryView), languages } }
  }
})
