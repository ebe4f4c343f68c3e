import { sql } from 'kysely'
import { parse, stringify } from 'yaml'
import type { DeskActor } from '../../core/actor.ts'
import type { ActServices } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { type ArticleState, type Audience, audiences } from '../../core/tables/knowledge-base.ts'
import { type Article, articleWith } from './articles.ts'
import { allCategories, type Category, chainOf, inLocale } from './categories.ts'
import { createArticle, updateArticle } from './change-articles.ts'
import { createCategory } from './change-categories.ts'
import { publishArticle } from './publish-articles.ts'
import { everything, visibleTexts } from './visibility.ts'

/** A text of an article as a file: its facts as YAML between two lines of dashes, and its Markdown (K14). */
export interface ArticleFile {
  title: string
  slug: string
  locale: string
  /** The slugs of its categories from the topmost down, in the desk's first language. */
  category: string
  audience: Audience
  state: ArticleState
  markdown: string
}

/** The files of all articles that are not archived, by path: `billing/what-e-042-means.en.md`. Languages of an article differ in the ending alone. */
export async function* exportedArticles(db: Db): AsyncGenerator<{ path: string; text: string }> {
  const { help_languages } = (await settingsOf(db)).settings
  const categories = await allCategories(db)
  const taken = new Set<string>()
  for (const { id } of await allIds(db, everything)) {
    const article = await articleWith(db, id)
    const category = categoryPath(categories, article.category_id, help_languages)
    const { text } = inLocale(article.texts, help_languages)
    const isTaken = taken.has(`${category}/${text.slug}`)
    const stem = `${category}/${text.slug}${isTaken ? `-${id}` : ''}`
    taken.add(stem)
    for (const [locale, { title, slug, markdown, published_version }] of Object.entries(article.texts)) {
      const state = published_version === null ? 'draft' : 'published'
      const file = { title, slug, locale, category, audience: article.effective_audience, state, markdown } as const
      yield { path: `${stem}.${locale}.md`, text: writtenFile(file) }
    }
  }
}

export function writtenFile({ markdown, ...facts }: ArticleFile): string {
  return `---\n${stringify(facts)}---\n\n${markdown.replace(/\n*$/, '\n')}`
}

/** Reads such a file. Throws an error that says what is wrong with it. */
export function readFile(text: string): ArticleFile {
  const [, yaml, markdown] = /^\ufeff?---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(text) ?? []
  if (yaml === undefined || markdown === undefined)
    throw new Error('it does not begin with its facts between lines of ---')
  const facts: unknown = parse(yaml, { maxAliasCount: 0 })
  if (typeof facts !== 'object' || facts === null) throw new Error('its facts are no YAML of names and values')
  const { title, slug, locale, category, audience = 'staff', state = 'draft' } = facts as Record<string, unknown>
  for (const [name, value] of Object.entries({ title, slug, locale, category })) {
    if (typeof value !== 'string' || value.trim() === '') throw new Error(`${name} is missing`)
  }
  if (!audiences.includes(audience as Audience)) throw new Error(`audience is one of ${audiences.join(', ')}`)
  return { title, slug, locale, category, audience, state, markdown: markdown.trim() } as ArticleFile
}

/**
 * Creates the article of these files, one for each language, or changes the one that has one of their addresses. Categories that are missing are created. It
 * stays a draft, or its texts are published. Returns what was done.
 */
export async function importArticle(
  services: ActServices,
  actor: DeskActor,
  origin: Origin,
  files: readonly [ArticleFile, ...ArticleFile[]],
  isPublishing: boolean
): Promise<'created' | 'updated' | 'unchanged'> {
  const { db } = services
  const [{ audience, category }] = files
  const category_id = await categoryAt(services, actor, origin, category)
  const texts = Object.fromEntries(
    files.map(({ locale, title, slug, markdown }) => [locale, { title, slug, markdown }])
  )
  const found = await ownersOf(db, { slugs: JSON.stringify(files.map(({ locale, slug }) => ({ locale, slug }))) })
  if (found.length > 1) throw new Error('its languages are those of several articles')
  const former = found[0] && (await articleWith(db, found[0].article_id))
  const article = former
    ? await changed(services, actor, origin, former, { category_id, audience, texts }, isPublishing)
    : await createArticle(services, actor, origin, { category_id, audience, texts })
  if (isPublishing) await publishArticle(services, actor, origin, { id: article.id })
  if (!former) return 'created'
  return article.version === former.version ? 'unchanged' : 'updated'
}

/** An audience that its categories give it anyway stays theirs. Category and audience count at once, so that only publishing changes those of what is published. */
async function changed(
  services: ActServices,
  actor: DeskActor,
  origin: Origin,
  { id, effective_audience, audience: own, state }: Article,
  { texts, ...given }: { category_id: number; audience: Audience; texts: Record<string, ImportedText> },
  isPublishing: boolean
): Promise<Article> {
  const audience = given.audience === effective_audience ? own : given.audience
  const place = isPublishing || state === 'draft' ? { ...given, audience } : {}
  return (await updateArticle(services, actor, origin, { id, texts, ...place }, false)).article
}

interface ImportedText {
  title: string
  markdown: string
}

async function categoryAt(services: ActServices, actor: DeskActor, origin: Origin, path: string): Promise<number> {
  const { help_languages } = (await settingsOf(services.db)).settings
  let parent_id: number | null = null
  for (const slug of path.split('/')) {
    const categories: Map<number, Category> = await allCategories(services.db)
    const known: Category | undefined = [...categories.values()].find(
      each => each.parent_id === parent_id && Object.values(each.texts).some(text => text.slug === slug)
    )
    const locale = help_languages[0]!
    // Articles say whom they are for; a category that only holds them narrows nothing.
    const texts = { name: { [locale]: slug }, slug: { [locale]: slug } }
    const found: Category =
      known ?? (await createCategory(services, actor, origin, { ...texts, audience: 'public', parent_id }))
    parent_id = found.id
  }
  return parent_id!
}

function categoryPath(categories: ReadonlyMap<number, Category>, id: number, locales: readonly string[]): string {
  return chainOf(categories, id)
    .map(({ texts }) => inLocale(texts, locales).text.slug)
    .toReversed()
    .join('/')
}

const allIds = prepared((db, p: typeof everything) =>
  visibleTexts(db, p)
    .where('kb_articles.state', '<>', 'archived')
    .distinct()
    .select('kb_articles.id')
    .orderBy('kb_articles.id')
)

const ownersOf = prepared((db, p: { slugs: string }) =>
  db
    .selectFrom('kb_slugs')
    .where(
      sql<boolean>`(locale, slug) in (select locale, slug from json_to_recordset(${p.slugs}::json) as given (locale varchar, slug varchar))`
    )
    .distinct()
    .select('article_id')
)
