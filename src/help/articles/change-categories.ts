import { isDeepStrictEqual } from 'node:util'
import type { DeskActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { type Effect, effectOf } from './audience-effect.ts'
import {
  allCategories,
  type Category,
  CategoryNotFound,
  type CategoryText,
  categoryIn,
  withDescendants
} from './categories.ts'
import { requireHelpLanguages } from './help-languages.ts'
import { lockKnowledgeBase } from './revision.ts'
import { freeSlug, slugOf, validatedSlug } from './slugs.ts'

const maxCategories = 500
const maxDepth = 3

export const TooManyCategories = failure(409, 'too_many_categories', `There are ${maxCategories} categories already`)
export const CategoryInUse = failure(
  409,
  'category_in_use',
  'There are articles or categories in this category: move them first'
)

/** What a caller says of a category; names and slugs by language. */
export interface CategoryChanges {
  name?: Readonly<Record<string, string>>
  slug?: Readonly<Record<string, string>>
  parent_id?: number | null
  audience?: Audience
  position?: number
  /** In place of a position: the category of the same level before which it lies; null for the end. */
  before_id?: number | null
}

/** Adds a category, at the end of its level unless a position is given. Throws `CategoryNotFound`, `TooManyCategories`, `InvalidFields`. */
export async function createCategory(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  changes: CategoryChanges & { name: Record<string, string>; audience: Audience }
): Promise<Category> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await lockKnowledgeBase(db)
    const categories = await allCategories(db)
    if (categories.size >= maxCategories) throw TooManyCategories()
    const { parent_id = null, audience } = changes
    const depth = depthBelow(categories, parent_id)
    const level = [...categories.values()].filter(each => each.parent_id === parent_id)
    const position = changes.position ?? Math.max(0, ...level.map(each => each.position)) + 1
    const texts = await textsWith(db, {}, changes)
    const [added] = await insert(db, { parent_id, depth, audience, position, now: act.now })
    await writeTexts(db, added!.id, {}, texts)
    const subject = { type: 'article_category', id: added!.id } as const
    act.happened({
      kind: 'article_category.created',
      subject,
      after: factsOf({ texts, parent_id, audience, position })
    })
    return categoryIn(await allCategories(db), added!.id)
  })
}

/**
 * Changes what is given of a category. With `isDryRun` it only tells which published articles more or fewer people would see (K2). Throws `CategoryNotFound`,
 * `VersionConflict`, `InvalidFields`.
 */
export async function updateCategory(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, expected_version, ...changes }: CategoryChanges & { id: number; expected_version?: number | undefined },
  isDryRun: boolean
): Promise<{ category: Category; effect: Effect }> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    if (!isDryRun) await lockKnowledgeBase(db)
    const categories = await allCategories(db)
    const former = categoryIn(categories, id)
    requireVersion(former.version, expected_version)
    const parent_id = changes.parent_id === undefined ? former.parent_id : changes.parent_id
    const { audience = former.audience } = changes
    const { position, moved } = orderWith(categories, { ...former, parent_id }, changes)
    requireNoCircle(categories, id, parent_id)
    const depth = depthBelow(categories, parent_id)
    const below = withDescendants(categories, id).map(each => categories.get(each)!)
    const deepest = Math.max(...below.map(each => each.depth)) - former.depth + depth
    if (deepest > maxDepth) throw tooDeep()
    const texts = await textsWith(db, former.texts, changes, id)
    const wanted: Category = { ...former, parent_id, depth, audience, position, texts }
    const after = new Map(categories).set(id, wanted)
    const effect = await effectOf(db, actor, { before: categories, after, categoryId: id })
    const isChanged = !isDeepStrictEqual(wanted, former) || moved.length > 0
    if (isDryRun || !isChanged) return { category: isDryRun ? wanted : former, effect }

    await rewrite(db, { id, parent_id, depth, audience, position, now: act.now })
    for (const each of moved) await setPosition(db, each)
    for (const each of below) await setDepth(db, { id: each.id, depth: each.depth - former.depth + depth })
    await writeTexts(db, id, former.texts, texts)
    const subject = { type: 'article_category', id } as const
    act.happened({
      kind: 'article_category.updated',
      subject,
      before: factsOf(former),
      after: factsOf(wanted)
    })
    return { category: categoryIn(await allCategories(db), id), effect }
  })
}

/** Deletes a category in which nothing is. Throws `CategoryNotFound`, `VersionConflict`, `CategoryInUse`. */
export async function deleteCategory(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, expected_version }: { id: number; expected_version?: number }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    await lockKnowledgeBase(db)
    const categories = await allCategories(db)
    const former = categoryIn(categories, id)
    requireVersion(former.version, expected_version)
    const [article] = await articleIn(db, { id })
    if (article || [...categories.values()].some(each => each.parent_id === id)) throw CategoryInUse()
    await remove(db, { id })
    act.happened({
      kind: 'article_category.deleted',
      subject: { type: 'article_category', id },
      before: factsOf(former)
    })
  })
}

/** Its position, and those of its level that get another one, so that it lies before one of them or at the end. */
function orderWith(
  categories: ReadonlyMap<number, Category>,
  { id, parent_id, position: former }: Category,
  { position = former, before_id }: CategoryChanges
): { position: number; moved: { id: number; position: number }[] } {
  if (before_id === undefined) return { position, moved: [] }
  const level = [...categories.values()].filter(each => each.parent_id === parent_id && each.id !== id)
  const at = before_id === null ? level.length : level.findIndex(each => each.id === before_id)
  if (at < 0) throw CategoryNotFound({ errors: ['before_id'] })
  const moved = level
    .map((each, index) => ({ id: each.id, position: index < at ? index + 1 : index + 2 }))
    .filter(each => each.position !== categories.get(each.id)!.position)
  return { position: at + 1, moved }
}

function depthBelow(categories: ReadonlyMap<number, Category>, parentId: number | null): number {
  if (parentId === null) return 1
  const parent = categories.get(parentId)
  if (!parent) throw CategoryNotFound({ errors: ['parent_id'] })
  if (parent.depth >= maxDepth) throw tooDeep()
  return parent.depth + 1
}

function tooDeep() {
  return InvalidFields({ message: `Categories are at most ${maxDepth} levels deep`, errors: ['parent_id'] })
}

function requireNoCircle(categories: ReadonlyMap<number, Category>, id: number, parentId: number | null): void {
  if (parentId === null || !withDescendants(categories, id).includes(parentId)) return
  throw InvalidFields({ message: 'A category cannot lie in itself or in one below it', errors: ['parent_id'] })
}

/** The texts in all languages with the given ones. A new language that has no slug gets one from its name. */
async function textsWith(
  db: Db,
  former: Readonly<Record<string, CategoryText>>,
  { name = {}, slug = {} }: CategoryChanges,
  id?: number
): Promise<Record<string, CategoryText>> {
  await requireHelpLanguages(db, 'name', Object.keys(name))
  const texts: Record<string, CategoryText> = { ...former }
  const isTaken = async (locale: string, slug: string) => {
    const [taken] = await withSlug(db, { locale, slug })
    return taken !== undefined && taken.category_id !== id
  }
  for (const [locale, given] of Object.entries(name)) {
    texts[locale] = {
      name: given,
      slug: former[locale]?.slug ?? (await freeSlug(slugOf(given) || 'category', each => isTaken(locale, each)))
    }
  }
  for (const [locale, given] of Object.entries(slug)) {
    const field = `slug.${locale}`
    if (!texts[locale]) throw InvalidFields({ message: `${field} needs a name in this language`, errors: [field] })
    const wanted = validatedSlug(given, field)
    if (await isTaken(locale, wanted)) throw slugTaken(field)
    texts[locale] = { name: texts[locale].name, slug: wanted }
  }
  return texts
}

function slugTaken(field: string) {
  return InvalidFields({ message: `${field}: another category has this address`, errors: [field] })
}

async function writeTexts(
  db: Db,
  id: number,
  former: Readonly<Record<string, CategoryText>>,
  texts: Readonly<Record<string, CategoryText>>
): Promise<void> {
  for (const [locale, text] of Object.entries(texts)) {
    if (!isDeepStrictEqual(text, former[locale])) await writeText(db, { id, locale, ...text })
  }
}

function factsOf({
  texts,
  parent_id,
  audience,
  position
}: Pick<Category, 'texts' | 'parent_id' | 'audience' | 'position'>) {
  return { name: Object.values(texts)[0]!.name, parent_id, audience, position }
}

const insert = prepared(
  (db, p: { parent_id: number | null; depth: number; audience: Audience; position: number; now: Date }) =>
    db
      .insertInto('kb_categories')
      .values({
        parent_id: p.parent_id,
        depth: p.depth,
        audience: p.audience,
        position: p.position,
        created_at: p.now,
        updated_at: p.now
      })
      .returning('id')
)

const rewrite = prepared(
  (db, p: { id: number; parent_id: number | null; depth: number; audience: Audience; position: number; now: Date }) =>
    db
      .updateTable('kb_categories')
      .where('id', '=', p.id)
      .set(eb => ({
        parent_id: p.parent_id,
        depth: p.depth,
        audience: p.audience,
        position: p.position,
        version: eb('version', '+', 1),
        updated_at: p.now
      }))
)

const setDepth = prepared((db, p: { id: number; depth: number }) =>
  db.updateTable('kb_categories').where('id', '=', p.id).set({ depth: p.depth })
)

const setPosition = prepared((db, p: { id: number; position: number }) =>
  db.updateTable('kb_categories').where('id', '=', p.id).set({ position: p.position })
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('kb_categories').where('id', '=', p.id))

const articleIn = prepared((db, p: { id: number }) =>
  db.selectFrom('kb_articles').where('category_id', '=', p.id).select('id').limit(1)
)

const withSlug = prepared((db, p: { locale: string; slug: string }) =>
  db.selectFrom('kb_category_texts').where('locale', '=', p.locale).where('slug', '=', p.slug).select('category_id')
)

const writeText = prepared((db, p: CategoryText & { id: number; locale: string }) =>
  db
    .insertInto('kb_category_texts')
    .values({ category_id: p.id, locale: p.locale, name: p.name, slug: p.slug })
    .onConflict(conflict => conflict.columns(['category_id', 'locale']).doUpdateSet({ name: p.name, slug: p.slug }))
)
