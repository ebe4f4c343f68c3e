import { type Db, prepared } from '../../core/db.ts'

/** A permission that an admin can grant. */
export interface CataloguedPermission {
  id: number
  slug: string
  name: string
  description: string
  category: string
}

/** All permissions there are, in the contract's order. */
export async function permissionCatalogue(db: Db): Promise<CataloguedPermission[]> {
  return await inOrder(db, {})
}

/** The catalogue as the contract shows it: once as a list, once by category. */
export function catalogueView(permissions: CataloguedPermission[]) {
  const categories = [...new Set(permissions.map(({ category }) => category))]
  const inCategory = (category: string) =>
    permissions.filter(each => each.category === category).map(({ slug, name }) => ({ slug, name }))
  return {
    count: permissions.length,
    permissions,
    by_category: Object.fromEntries(categories.map(category => [category, inCategory(category)]))
  }
}

const inOrder = prepared(db =>
  db.selectFrom('permissions').select(['id', 'slug', 'name', 'description', 'category']).orderBy('id')
)
