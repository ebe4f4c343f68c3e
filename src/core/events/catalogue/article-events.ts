import { Type } from 'typebox'
import { Id, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { audiences } from '../../tables/knowledge-base.ts'
import { Count, facts, type KindOfEvent, Names } from './kind-of-event.ts'

/** All staff may read the knowledge base, drafts too. */
const ofArticles = { readers: 'any staff', audited: 'always' } as const

const title = OutputText('What E-042 means')
const audience = OneOf(audiences)
const inLanguage = { title, locale: Type.Optional(OutputText('en')), version: Type.Optional(Count(3)) }
const place = { category_id: Type.Optional(Id(2)), audience: Type.Optional(Nullable(audience)) }
const category = {
  name: OutputText('Billing'),
  parent_id: Type.Optional(Nullable(Id(1))),
  audience: Type.Optional(audience),
  position: Type.Optional(Count(2))
}

/** Of articles and their categories. The words of an article are in its versions. */
export const articleEvents = {
  'article.created': { ...ofArticles, after: facts({ title, ...place, locales: Names(['en']) }) },
  'article.updated': { ...ofArticles, after: facts({ title, locales: Names(['en']) }) },
  // Into another category, or to another audience.
  'article.moved': { ...ofArticles, before: facts({ title, ...place }), after: facts({ title, ...place }) },
  'article.published': { ...ofArticles, after: facts(inLanguage) },
  'article.publishing_asked': { ...ofArticles, after: facts({ title }) },
  'article.archived': { ...ofArticles, after: facts(inLanguage) },
  'article.unarchived': { ...ofArticles, after: facts({ title }) },
  'article.deleted': { ...ofArticles, before: facts({ title }) },
  'article.picture_uploaded': { ...ofArticles, after: facts({ title, bytes: Count(48_213) }) },
  'article_category.created': { ...ofArticles, after: facts(category) },
  'article_category.updated': { ...ofArticles, before: facts(category), after: facts(category) },
  'article_category.deleted': { ...ofArticles, before: facts(category) }
} as const satisfies Record<string, KindOfEvent>
