import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { requireCustomFields } from './custom-fields.ts'
import type { NamedKind } from './fields.ts'
import type { Condition, Conditions } from './schemas.ts'
import { usesIn } from './uses-in-conditions.ts'

type Tag = string | number

/**
 * Conditions as definitions store them: tags by id, so that one that is renamed goes along. A name that no tag has stays a name, which fits no
 * ticket. The tags are locked, so that none is deleted or merged meanwhile, and so are custom fields. Throws `InvalidFields` for a custom field that does
 * not exist, or has no such operator or value.
 */
export async function storedConditions(db: Db, conditions: Conditions): Promise<Conditions> {
  await requireCustomFields(db, conditions)
  const names = tagsIn(conditions).flatMap(tag => (typeof tag === 'string' ? tag.toLowerCase() : []))
  if (names.length === 0) return conditions
  const ids = new Map((await tagsNamed(db, { names })).map(({ id, name }) => [name.toLowerCase(), id]))
  return withTags(conditions, tag => (typeof tag === 'string' ? (ids.get(tag.toLowerCase()) ?? tag) : tag))
}

/** Stored conditions as the API shows them, in the same order: tags by name. A tag that is gone stays an id. */
export async function namedConditions(db: Db, stored: readonly Conditions[]): Promise<Conditions[]> {
  const ids = stored.flatMap(tagsIn).filter(tag => typeof tag === 'number')
  if (ids.length === 0) return [...stored]
  const names = new Map((await tagsWithIds(db, { ids })).map(({ id, name }) => [id, name]))
  return stored.map(each => withTags(each, tag => (typeof tag === 'number' ? (names.get(tag) ?? tag) : tag)))
}

/**
 * Refuses stored conditions that name what does not exist: for definitions that act by themselves, whose errors would be found late. Throws
 * `InvalidFields` with the place of each.
 */
export async function requireExisting(db: Db, stored: Conditions): Promise<void> {
  const uses = usesIn(stored)
  const known = new Set<string>()
  for (const [kind, named] of Map.groupBy(uses, ({ kind }) => kind)) {
    const rows = await existing[kind](db, { ids: named.map(({ id }) => id) })
    for (const { id } of rows) known.add(`${kind} ${id}`)
  }
  const unknown = [
    ...uses.filter(({ kind, id }) => !known.has(`${kind} ${id}`)).map(({ where }) => where),
    ...unknownTags(stored)
  ]
  if (unknown.length === 0) return
  const errors = [...new Set(unknown.map(where => `${where}.value`))]
  throw InvalidFields({ message: errors.map(error => `${error} names what does not exist`).join('; '), errors })
}

/** The places of conditions with names that no tag has. */
function unknownTags(stored: Conditions): string[] {
  return stored.all.flatMap(({ any }, group) =>
    any.flatMap((condition, place) =>
      tagsOf(condition).some(tag => typeof tag === 'string') ? `conditions.all.${group}.any.${place}` : []
    )
  )
}

/** The same conditions with other tags; none is named twice. */
export function withTags(conditions: Conditions, change: (tag: Tag) => Tag): Conditions {
  const changed = (condition: Condition): Condition =>
    namesTags(condition) ? { ...condition, value: [...new Set(tagsOf(condition).map(change))] } : condition
  return { all: conditions.all.map(({ any }) => ({ any: any.map(changed) })) }
}

function tagsIn(conditions: Conditions): Tag[] {
  return conditions.all.flatMap(({ any }) => any.flatMap(tagsOf))
}

function tagsOf(condition: Condition): readonly Tag[] {
  return namesTags(condition) && Array.isArray(condition.value) ? condition.value : []
}

/** By its field, of the ticket or of an event. */
function namesTags({ field, value }: Condition): boolean {
  return /^(event\.(before|after)\.)?tags$/.test(field) && Array.isArray(value)
}

const tagsNamed = prepared((db, p: { names: readonly string[] }) =>
  db
    .selectFrom('tags')
    .where(sql`lower(name)`, '=', sql`any(${p.names}::text[])`)
    .select(['id', 'name'])
    .orderBy('id')
    .forKeyShare()
)

const tagsWithIds = prepared((db, p: { ids: readonly number[] }) =>
  db.selectFrom('tags').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'name'])
)

interface Ids {
  ids: readonly number[]
}

/** Which of these exist, by kind; departments by their deptid. */
const existing: Record<NamedKind, (db: Db, p: Ids) => Promise<{ id: number }[]>> = {
  department: prepared((db, p: Ids) =>
    db.selectFrom('departments').where('deptid', '=', sql<number>`any(${p.ids}::bigint[])`).select('deptid as id')
  ),
  staff: prepared((db, p: Ids) =>
    db.selectFrom('staff').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select('id')
  ),
  client: prepared((db, p: Ids) =>
    db.selectFrom('clients').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select('id')
  ),
  organisation: prepared((db, p: Ids) =>
    db.selectFrom('organisations').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select('id')
  ),
  calendar: prepared((db, p: Ids) =>
    db.selectFrom('calendars').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select('id').forKeyShare()
  ),
  tag: tagsWithIds,
  field: prepared((db, p: Ids) =>
    db.selectFrom('fields').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select('id')
  )
}
