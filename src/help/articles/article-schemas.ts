import { type Static, Type } from 'typebox'
import { articleStates, audiences, linkKinds } from '../../core/tables/knowledge-base.ts'
import { faultFinder } from '../../kit/input.ts'
import {
  BooleanInput,
  Flag,
  Id,
  IsoTime,
  localePattern,
  Nullable,
  OneOf,
  OutputText,
  Timestamp
} from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { Status, TicketNumber } from '../../tickets/ticket/schemas.ts'
import type { ArticleFeedback } from './article-feedback.ts'
import type { Article } from './articles.ts'
import type { Effect } from './audience-effect.ts'
import type { Category } from './categories.ts'
import type { ListedArticle } from './list-articles.ts'
import type { TextChanges } from './write-texts.ts'

export const AudienceInput = OneOf(audiences)
export const Position = Type.Integer({ minimum: 1, maximum: 10_000, examples: [2] })
export const DryRun = Type.Optional({
  ...BooleanInput(0),
  description: '1: nothing is changed, and the answer tells what would become visible to whom.'
})

/** Texts by language, each judged by this schema. */
function ByLocale<T>(
  schema: ReturnType<typeof Type.Object | typeof Type.String>,
  example: object,
  description: string
) {
  const faultIn = faultFinder(
    Type.Object({}, { additionalProperties: schema, maxProperties: 20, propertyNames: { pattern: localePattern } })
  )
  return Type.Unsafe<Record<string, T>>({
    type: 'object',
    additionalProperties: schema,
    maxProperties: 20,
    examples: [example],
    description,
    'x-check': (value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
        return [{ at: '', fault: 'must be an object with a text in at least one language' }]
      }
      const fault = faultIn(value) ?? unfitTextIn(value)
      return fault ? [fault] : []
    }
  })
}

/** What the database could not store, anywhere in an object. */
function unfitTextIn(value: object, at = ''): { at: string; fault: string } | undefined {
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === 'string' && (each.includes('\0') || !each.isWellFormed())) {
      return { at: `${at}.${name}`, fault: 'is no valid text' }
    }
    if (typeof each === 'object' && each !== null) {
      const within = unfitTextIn(each, `${at}.${name}`)
      if (within) return within
    }
  }
  return undefined
}

const control = '\\u0000-\\u001f\\u007f-\\u009f'
const filled = `^[^${control}]*[^\\s${control}][^${control}]*$`
const Slug = Type.String({ minLength: 1, maxLength: 100, examples: ['what-e-042-means'] })

export const CategoryNames = ByLocale<string>(
  Type.String({ minLength: 1, maxLength: 100, pattern: filled }),
  { en: 'Billing', de: 'Rechnungen' },
  'The name in each language.'
)
export const CategorySlugs = ByLocale<string>(
  Slug,
  { en: 'billing', de: 'rechnungen' },
  'The part of the address in each language; without one it is made of the name.'
)

export const ArticleTexts = ByLocale<TextChanges>(
  Type.Object(
    {
      title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: filled })),
      markdown: Type.Optional(Type.String({ minLength: 1, maxLength: 100_000 })),
      slug: Type.Optional(Slug)
    },
    { additionalProperties: false }
  ),
  { en: { title: 'What E-042 means', markdown: 'It lost its **earth** for a moment.', slug: 'what-e-042-means' } },
  'The text in each language: title and Markdown of at most 100,000 bytes, and the part of the address. Those that are left out stay.'
)

const textsOf = <T>(schema: ReturnType<typeof Type.Object>, example: object) =>
  Type.Unsafe<Record<string, T>>({ type: 'object', additionalProperties: schema, examples: [example] })

export const CategoryView = Type.Object({
  id: Id(2),
  parent_id: Nullable(Id(1)),
  depth: Type.Integer({ examples: [1] }),
  audience: OneOf(audiences),
  position: Type.Integer({ examples: [2] }),
  name: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ en: 'Billing' }]
  }),
  slug: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ en: 'billing' }]
  }),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export function categoryView(category: Category): Static<typeof CategoryView> {
  const { id, parent_id, depth, audience, position, texts, version, created_at, updated_at } = category
  const entries = Object.entries(texts)
  return {
    ...{ id, parent_id, depth, audience, position, version },
    name: Object.fromEntries(entries.map(([locale, { name }]) => [locale, name])),
    slug: Object.fromEntries(entries.map(([locale, { slug }]) => [locale, slug])),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at)
  }
}

export const ArticleTextView = Type.Object({
  title: OutputText('What E-042 means'),
  slug: OutputText('what-e-042-means'),
  markdown: OutputText('It lost its **earth** for a moment.'),
  html: OutputText('<p>It lost its <strong>earth</strong> for a moment.</p>'),
  latest_version: Type.Integer({ examples: [3] }),
  published_version: Nullable(Type.Integer({ examples: [2] })),
  published_at: Nullable(IsoTime()),
  author_name: OutputText('Grace Hopper'),
  author_token: Nullable(OutputText('Nightly export')),
  updated_at: IsoTime()
})

export const ArticleView = Type.Object({
  id: Id(12),
  category_id: Id(2),
  audience: Nullable(OneOf(audiences)),
  effective_audience: {
    ...OneOf(audiences),
    description: 'Of the article and its categories the narrowest: the audience that counts.'
  },
  audience_set_by: Type.Object(
    { kind: OneOf(['article', 'category'] as const), id: Id(2) },
    { description: 'The level of the chain that sets it.' }
  ),
  state: OneOf(articleStates),
  author_id: Nullable(Id(2)),
  // Since when somebody who may not publish asks for it, and who.
  publishing_asked_at: Nullable(IsoTime()),
  publishing_asked_by: Nullable(OutputText('Grace Hopper')),
  version: Version,
  texts: textsOf<Static<typeof ArticleTextView>>(ArticleTextView, {}),
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export function articleView({ setBy, texts, ...article }: Article): Static<typeof ArticleView> {
  return {
    ...article,
    audience_set_by: setBy === 'article' ? { kind: 'article', id: article.id } : { kind: 'category', id: setBy.id },
    texts: Object.fromEntries(
      Object.entries(texts).map(([locale, text]) => [
        locale,
        {
          ...text,
          published_at: text.published_at?.toISOString() ?? null,
          updated_at: text.updated_at.toISOString()
        }
      ])
    ),
    publishing_asked_at: article.publishing_asked_at?.toISOString() ?? null,
    created_at: timestamp(article.created_at),
    updated_at: timestamp(article.updated_at)
  }
}

export const articleData = Type.Object({ article: ArticleView })

export const CommentView = Type.Object({
  comment: OutputText('Which lever?'),
  locale: OutputText('en'),
  updated_at: IsoTime()
})

export const FeedbackView = Type.Object({
  helpful: Type.Integer({ examples: [9] }),
  not_helpful: Type.Integer({ examples: [1] }),
  comments: Type.Array(CommentView, {
    description: 'What those whom it did not help have missed: the newest fifty.'
  })
})

export function feedbackView({ comments, ...counts }: ArticleFeedback): Static<typeof FeedbackView> {
  return {
    ...counts,
    comments: comments.map(({ updated_at, ...said }) => ({ ...said, updated_at: updated_at.toISOString() }))
  }
}

export const LinkedTicketView = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('The printer is on fire'),
  status: Status,
  article_id: Id(12),
  how: OneOf(linkKinds)
})

export const AudienceChangeView = Type.Object({
  id: Id(12),
  title: OutputText('What E-042 means'),
  before: OneOf(audiences),
  after: OneOf(audiences, 'staff')
})

export const EffectView = Type.Object(
  {
    more_visible: Type.Integer({ examples: [0] }),
    less_visible: Type.Integer({ examples: [1] }),
    articles: Type.Array(AudienceChangeView),
    tickets: Type.Array(LinkedTicketView)
  },
  {
    description:
      'Published articles that more or fewer people see than before, the first hundred of them, and the tickets that link those that fewer see.'
  }
)

export const effectView = (effect: Effect): Static<typeof EffectView> => effect

export const ListedArticleView = Type.Object({
  id: Id(12),
  category_id: Id(2),
  audience: Nullable(OneOf(audiences)),
  effective_audience: OneOf(audiences),
  state: OneOf(articleStates),
  version: Version,
  locale: OutputText('en'),
  title: OutputText('What E-042 means'),
  slug: OutputText('what-e-042-means'),
  locales: Type.Array(Type.String(), { examples: [['de', 'en']], description: 'The languages that have a text.' }),
  unpublished: Type.Array(Type.String(), {
    examples: [['de']],
    description: 'Those of them whose latest text is not published.'
  }),
  publishing_asked: Flag(0),
  helpful: Type.Integer({ examples: [9] }),
  not_helpful: Type.Integer({ examples: [1] }),
  updated_at: Timestamp()
})

export function listedArticleView(article: ListedArticle): Static<typeof ListedArticleView> {
  return { ...article, publishing_asked: bit(article.publishing_asked), updated_at: timestamp(article.updated_at) }
}

export const VersionView = Type.Object({
  version: Type.Integer({ examples: [3] }),
  title: OutputText('What E-042 means'),
  markdown: OutputText('It lost its **earth** for a moment.'),
  author_name: OutputText('Grace Hopper'),
  author_token: Nullable(OutputText('Nightly export')),
  is_published: Flag(),
  created_at: Timestamp()
})

export function versionView({
  is_published,
  created_at,
  ...version
}: Omit<Static<typeof VersionView>, 'is_published' | 'created_at'> & { is_published: boolean; created_at: Date }) {
  return { ...version, is_published: bit(is_published), created_at: timestamp(created_at) }
}
