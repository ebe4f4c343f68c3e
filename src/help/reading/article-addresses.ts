import type { Db } from '../../core/db.ts'
import { allCategories, type Category, categoryIn, inLocale } from '../articles/categories.ts'

/** Where an article is read: `/help/en/billing/what-e-042-means`. Its category is named in the same language if that has a name in it. */
export function articlePath(
  categories: ReadonlyMap<number, Category>,
  { category_id, locale, slug }: { category_id: number; locale: string; slug: string }
): string {
  const category = inLocale(categoryIn(categories, category_id).texts, [locale]).text.slug
  return `/help/${locale}/${encodeURIComponent(category)}/${encodeURIComponent(slug)}`
}

/** The same for articles of a list. */
export async function withPaths<T extends { category_id: number; locale: string; slug: string }>(
  db: Db,
  articles: readonly T[]
): Promise<(T & { path: string; category: Category })[]> {
  if (articles.length === 0) return []
  const categories = await allCategories(db)
  return articles.map(article => ({
    ...article,
    path: articlePath(categories, article),
    category: categoryIn(categories, article.category_id)
  }))
}
