import type { Db } from '../../core/db.ts'
import { articlePath } from '../articles/article-path.ts'
import { allCategories, type Category, categoryIn } from '../articles/categories.ts'

/** Articles of a list with where each is read, and its category. */
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
