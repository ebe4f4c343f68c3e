import { type Category, inOrder } from './knowledge-base.ts'

/** Where a category lies: before another of that level, or at its end. */
export interface Place {
  parent_id: number | null
  before_id: number | null
}

const mostLevels = 3

/** Whether a category can lie in this one, or at the top; the service judges the same. */
export function canLieIn(categories: readonly Category[], category: Category, parent: number | null): boolean {
  const below = inOrder(categories, undefined, category.id)
  if (parent === category.id || below.some(({ id }) => id === parent)) return false
  const levels = Math.max(category.depth, ...below.map(({ depth }) => depth)) - category.depth + 1
  return (categories.find(({ id }) => id === parent)?.depth ?? 0) + levels <= mostLevels
}

/** Where it lies now. */
export function placeOf(categories: readonly Category[], { id, parent_id }: Category): Place {
  const level = levelOf(categories, parent_id)
  return { parent_id, before_id: level[level.findIndex(each => each.id === id) + 1]?.id ?? null }
}

/** All places in which a category can lie, as they follow one another in the tree. In a folded one, only its end is in sight. */
export function placesFor(
  categories: readonly Category[],
  folded: ReadonlySet<number>,
  category: Category,
  parent: number | null = null
): Place[] {
  const isFolded = parent !== null && folded.has(parent)
  const level = isFolded ? [] : levelOf(categories, parent).filter(({ id }) => id !== category.id)
  const mayLie = canLieIn(categories, category, parent)
  return [
    ...level.flatMap(({ id }) => [
      ...(mayLie ? [{ parent_id: parent, before_id: id }] : []),
      ...placesFor(categories, folded, category, id)
    ]),
    ...(mayLie ? [{ parent_id: parent, before_id: null }] : [])
  ]
}

/** The place at a row: before it, in it, or after it. */
export function placeAt(
  categories: readonly Category[],
  { id, parent_id }: Category,
  part: 'above' | 'within' | 'below',
  moved: number
): Place {
  if (part === 'within') return { parent_id: id, before_id: null }
  const level = levelOf(categories, parent_id).filter(each => each.id === id || each.id !== moved)
  const at = level.findIndex(each => each.id === id) + (part === 'below' ? 1 : 0)
  return { parent_id, before_id: level[at]?.id ?? null }
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.parent_id === other.parent_id && one.before_id === other.before_id
}

function levelOf(categories: readonly Category[], parent: number | null): Category[] {
  return categories.filter(({ parent_id }) => parent_id === parent)
}
