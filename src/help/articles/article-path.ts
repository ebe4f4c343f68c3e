import { type Category, categoryIn, inLocale } from './categories.ts'

/** Where an article is read: `/help/en/billing/what-e-042-means`. Its category is named in the same language if that has a name in it. */
export function articlePath(
  categories: ReadonlyMap<number, Category>,
  { category_id, locale, slug }: { category_id: number; locale: string; slug: string }
): string {
  const category = inLocale(categoryIn(categories, category_id).texts, [locale]).text.slug
  return `/help/${locale}/${encodeURIComponent(category)}/${encodeURIComponent(slug)}`
}
