import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { type Audience, audiences } from '../../core/tables/knowledge-base.ts'
import { failure } from '../../kit/errors.ts'

export const CategoryNotFound = failure(404, 'category_not_found', 'There is no such category')

export interface CategoryText {
  name: string
  slug: string
}

export interface Category {
  id: number
  parent_id: number | null
  depth: number
  audience: Audience
  position: number
  version: number
  created_at: Date
  updated_at: Date
  /** By language. */
  texts: Record<string, CategoryText>
}

/** All categories by id, in their order: there are a few hundred at most. */
export async function allCategories(db: Db): Promise<Map<number, Category>> {
  return new Map((await all(db, {})).map(category => [category.id, category]))
}

/** Throws `CategoryNotFound`. */
export function categoryIn(categories: ReadonlyMap<number, Category>, id: number): Category {
  const category = categories.get(id)
  if (!category) throw CategoryNotFound({ errors: ['category_id'] })
  return category
}

/** From this category up to its topmost one. */
export function chainOf(categories: ReadonlyMap<number, Category>, id: number): Category[] {
  const chain: Category[] = []
  for (let at: number | null = id; at !== null; ) {
    const category: Category = categoryIn(categories, at)
    chain.push(category)
    at = category.parent_id
  }
  return chain
}

/** This category and all below it. */
export function withDescendants(categories: ReadonlyMap<number, Category>, id: number): number[] {
  return [...categories.keys()].filter(each => chainOf(categories, each).some(category => category.id === id))
}

/** The audience that counts, and the level of the chain that sets it: of all the narrowest, and of several the nearest (K2). */
export function audienceOf(
  categories: ReadonlyMap<number, Category>,
  article: { category_id: number; audience: Audience | null }
): { audience: Audience; setBy: 'article' | Category } {
  const chain = chainOf(categories, article.category_id)
  const levels = [
    ...(article.audience === null ? [] : [{ audience: article.audience, setBy: 'article' as const }]),
    ...chain.map(category => ({ audience: category.audience, setBy: category }))
  ]
  return levels.reduce((one, other) => (isNarrower(other.audience, one.audience) ? other : one))
}

export function isNarrower(one: Audience, other: Audience): boolean {
  return audiences.indexOf(one) > audiences.indexOf(other)
}

/** The text in the first of these languages that there is, else in any. */
export function inLocale<T>(
  texts: Readonly<Record<string, T>>,
  locales: readonly string[]
): { locale: string; text: T } {
  const locale = locales.find(each => Object.hasOwn(texts, each)) ?? Object.keys(texts)[0]!
  return { locale, text: texts[locale]! }
}

const all = prepared(db =>
  db
    .selectFrom('kb_categories')
    .select(['id', 'parent_id', 'depth', 'audience', 'position', 'version', 'created_at', 'updated_at'])
    .select(
      sql<Record<string, CategoryText>>`(
        select json_object_agg(locale, json_build_object('name', name, 'slug', slug) order by locale)
        from kb_category_texts where category_id = kb_categories.id)`.as('texts')
    )
    .orderBy('position')
    .orderBy('id')
)
