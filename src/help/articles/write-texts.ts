import type { DeskActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields, MissingFields } from '../../kit/errors.ts'
import type { ArticleText } from './articles.ts'
import { requireHelpLanguages } from './help-languages.ts'
import { knownPictures, savePictureUses } from './pictures.ts'
import { type RenderedArticle, rendered } from './render-article.ts'
import { freeSlug, slugOf, validatedSlug } from './slugs.ts'

/** Older versions are forgotten, but never the published one. */
const maxVersions = 100

/** What a caller says of a text; what is left out stays. */
export interface TextChanges {
  title?: string
  markdown?: string
  slug?: string
}

/** A text that is ready to be stored. */
export interface PreparedText extends Omit<RenderedArticle, 'pictures'> {
  locale: string
  title: string
  markdown: string
  /** As it was given; undefined: the present one, or one made of the title. */
  slug: string | undefined
}

/** Checks and renders texts. Throws `MissingFields` for a new text without a title or words, and `InvalidFields`. */
export async function preparedTexts(
  db: Db,
  former: Readonly<Record<string, ArticleText>>,
  given: Readonly<Record<string, TextChanges>>
): Promise<PreparedText[]> {
  await requireHelpLanguages(db, 'texts', Object.keys(given))
  const texts: PreparedText[] = []
  for (const [locale, changes] of Object.entries(given)) {
    const field = `texts.${locale}`
    const { title = former[locale]?.title, markdown = former[locale]?.markdown } = changes
    const missing = [...(title ? [] : [`${field}.title`]), ...(markdown?.trim() ? [] : [`${field}.markdown`])]
    if (!title || !markdown || missing.length > 0) {
      throw MissingFields({ message: `Missing required fields: ${missing.join(', ')}`, errors: missing })
    }
    const slug = changes.slug === undefined ? undefined : validatedSlug(changes.slug, `${field}.slug`)
    const { html, plain, pictures } = await rendered(markdown, `${field}.markdown`)
    await requirePictures(db, pictures, `${field}.markdown`)
    texts.push({ locale, title, markdown, html, plain, slug })
  }
  return texts
}

/** Stores these texts as new versions, within a write that has locked the knowledge base. Returns the languages of those that changed. */
export async function writeTexts(
  act: Act,
  actor: DeskActor,
  articleId: number,
  texts: readonly PreparedText[]
): Promise<string[]> {
  const { db, now } = act
  const changed: string[] = []
  for (const text of texts) {
    const { locale } = text
    const [former] = await storedText(db, { articleId, locale })
    const slug = await slugFor(db, articleId, text, former?.slug)
    const isSame = former?.title === text.title && former.markdown === text.markdown
    if (isSame && slug === former.slug) continue
    changed.push(locale)
    const version = isSame ? former.latest_version : (former?.latest_version ?? 0) + 1
    await storeText(db, { articleId, locale, slug, version })
    await storeSlug(db, { articleId, locale, slug })
    if (isSame) continue
    const { title, markdown, html, plain } = text
    const author = {
      authorId: actor.id,
      authorName: `${actor.firstName} ${actor.lastName}`.trim(),
      authorToken: actor.token?.name ?? null
    }
    await storeVersion(db, { articleId, locale, version, title, markdown, html, plain, ...author, now })
    await savePictureUses(db, { articleId, locale, version, html })
    await forgetVersions(db, { articleId, locale, upTo: version - maxVersions })
  }
  return changed
}

async function requirePictures(db: Db, names: readonly string[], field: string): Promise<void> {
  const known = await knownPictures(db, names)
  const unknown = names.find(name => !known.has(name))
  if (unknown === undefined) return
  throw InvalidFields({ message: `${field}: there is no picture /help/files/${unknown}`, errors: [field] })
}

/** Addresses are never taken from another article, not even those that it had (K3). */
async function slugFor(
  db: Db,
  articleId: number,
  { locale, slug, title }: PreparedText,
  former: string | undefined
): Promise<string> {
  const isTaken = async (slug: string) => {
    const [owner] = await ownerOfSlug(db, { locale, slug })
    return owner !== undefined && owner.article_id !== articleId
  }
  if (slug === undefined) return former ?? (await freeSlug(slugOf(title), isTaken))
  const field = `texts.${locale}.slug`
  if (!(await isTaken(slug))) return slug
  throw InvalidFields({ message: `${field}: another article has, or had, this address`, errors: [field] })
}

type Place = { articleId: number; locale: string }

const storedText = prepared((db, p: Place) =>
  db
    .selectFrom('kb_texts')
    .innerJoin('kb_versions', join =>
      join
        .onRef('kb_versions.article_id', '=', 'kb_texts.article_id')
        .onRef('kb_versions.locale', '=', 'kb_texts.locale')
        .onRef('kb_versions.version', '=', 'kb_texts.latest_version')
    )
    .where('kb_texts.article_id', '=', p.articleId)
    .where('kb_texts.locale', '=', p.locale)
    .select(['kb_texts.slug', 'kb_texts.latest_version', 'kb_versions.title', 'kb_versions.markdown'])
)

const storeText = prepared((db, p: Place & { slug: string; version: number }) =>
  db
    .insertInto('kb_texts')
    .values({ article_id: p.articleId, locale: p.locale, slug: p.slug, latest_version: p.version })
    .onConflict(conflict =>
      conflict.columns(['article_id', 'locale']).doUpdateSet({ slug: p.slug, latest_version: p.version })
    )
)

const storeVersion = prepared(
  (
    db,
    p: Place & {
      version: number
      title: string
      markdown: string
      html: string
      plain: string
      authorId: number | null
      authorName: string
      authorToken: string | null
      now: Date
    }
  ) =>
    db.insertInto('kb_versions').values({
      article_id: p.articleId,
      locale: p.locale,
      version: p.version,
      title: p.title,
      markdown: p.markdown,
      html: p.html,
      plain: p.plain,
      author_id: p.authorId,
      author_name: p.authorName,
      author_token: p.authorToken,
      created_at: p.now
    })
)

const forgetVersions = prepared((db, p: Place & { upTo: number }) =>
  db
    .deleteFrom('kb_versions')
    .where('article_id', '=', p.articleId)
    .where('locale', '=', p.locale)
    .where('version', '<=', p.upTo)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('kb_texts')
            .whereRef('kb_texts.article_id', '=', 'kb_versions.article_id')
            .whereRef('kb_texts.locale', '=', 'kb_versions.locale')
            .whereRef('kb_texts.published_version', '=', 'kb_versions.version')
            .select('id')
        )
      )
    )
)

const storeSlug = prepared((db, p: Place & { slug: string }) =>
  db
    .insertInto('kb_slugs')
    .values({ locale: p.locale, slug: p.slug, article_id: p.articleId })
    .onConflict(conflict => conflict.columns(['locale', 'slug']).doNothing())
)

const ownerOfSlug = prepared((db, p: { locale: string; slug: string }) =>
  db.selectFrom('kb_slugs').where('locale', '=', p.locale).where('slug', '=', p.slug).select('article_id')
)
