import { type Static, Type } from 'typebox'
import type { DeskSettings } from '../../core/settings/registry.ts'
import { audiences } from '../../core/tables/knowledge-base.ts'
import { Flag, Id, Locale, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { type Category, inLocale } from '../articles/categories.ts'
import type { ReadArticle, ReadCategory, ReadListing } from './read-articles.ts'

export const AskedLocale = Type.Optional({
  ...Locale,
  description:
    'The language to read in; by default that of the desk. Where an article has none, it is shown in another, and `is_other_language` is 1 (K5).'
})

export const NamedCategory = Type.Object({ id: Id(2), name: OutputText('Billing'), slug: OutputText('billing') })

export const ArticleLanguage = Type.Object({
  locale: OutputText('de'),
  title: OutputText('Was E-042 bedeutet'),
  slug: OutputText('e-042')
})

const isOther = { ...Flag(0), description: 'It is in another language than the one that was asked for.' }

export const ReadCategoryView = Type.Object({
  id: Id(2),
  parent_id: Nullable(Id(1)),
  name: OutputText('Billing'),
  slug: OutputText('billing'),
  locale: OutputText('en'),
  article_count: Type.Integer({ examples: [12], description: 'In it and below it, as far as the reader sees them.' })
})

const listing = {
  id: Id(12),
  title: OutputText('What E-042 means'),
  slug: OutputText('what-e-042-means'),
  path: OutputText('/help/en/inverters/what-e-042-means'),
  category: NamedCategory,
  locale: OutputText('en'),
  is_other_language: isOther
}

export const ReadListingView = Type.Object({ ...listing, updated_at: Timestamp() })
export const SuggestedView = Type.Object({ ...listing, audience: OneOf(audiences) })
export const FoundArticleView = Type.Object({
  ...listing,
  audience: OneOf(audiences),
  snippet: OutputText('It lost its ⟦earth⟧ for a moment.')
})

export const ReadArticleView = Type.Object({
  ...listing,
  html: OutputText('<p>It lost its <strong>earth</strong> for a moment.</p>'),
  audience: OneOf(audiences),
  languages: Type.Array(ArticleLanguage, {
    description: 'The languages in which the reader may read it.'
  }),
  updated_at: Timestamp()
})

/** The language that a reader asked for: the given one, else that of the desk. */
export function askedLocale(given: string | undefined, { language, help_languages }: DeskSettings): string {
  return given ?? (help_languages.includes(language) ? language : help_languages[0]!)
}

export function readCategoryView(category: ReadCategory): Static<typeof ReadCategoryView> {
  return category
}

type Placed = Pick<ReadListing, 'id' | 'title' | 'slug' | 'locale'> & { path: string; category: Category }

export function suggestedView({ id, title, slug, locale, path, category }: Placed, asked: string) {
  const { name, slug: categorySlug } = inLocale(category.texts, [locale]).text
  return {
    ...{ id, title, slug, path, locale },
    category: { id: category.id, name, slug: categorySlug },
    is_other_language: bit(locale !== asked)
  }
}

export function readListingView(article: Placed & { updated_at: Date }, asked: string): Static<typeof ReadListingView> {
  return { ...suggestedView(article, asked), updated_at: timestamp(article.updated_at) }
}

export function readArticleView(article: ReadArticle & Placed, asked: string): Static<typeof ReadArticleView> {
  const { html, audience, languages } = article
  return { ...readListingView(article, asked), html, audience, languages }
}
