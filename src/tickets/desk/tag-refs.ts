import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import type { TagRef } from '../ticket/desk-schemas.ts'

export const UnknownTag = failure(400, 'unknown_tag', 'There is no such tag')

export interface Tag {
  id: number
  name: string
}

/** The tags of these refs, locked so that none is deleted meanwhile. Throws `UnknownTag`, which names the unknown ones. */
export async function tagsFor(db: Db, refs: readonly TagRef[], field = 'tags'): Promise<Tag[]> {
  if (refs.length === 0) return []
  const texts = refs.filter(ref => typeof ref === 'string').map(name => name.toLowerCase())
  const digits = refs.filter(ref => /^\d{1,15}$/.test(String(ref))).map(Number)
  const found = await named(db, { names: texts, ids: digits })
  const meant = refs.map(ref => tagOf(found, ref))
  const unknown = refs.filter((_, at) => !meant[at])
  if (unknown.length > 0) {
    throw UnknownTag({ message: `There is no such tag: ${unknown.join(', ')}`, errors: [field] })
  }
  const ids = new Set(meant.map(tag => tag!.id))
  return found.filter(({ id }) => ids.has(id))
}

/** The existing tags with these names, locked so that none is deleted meanwhile. */
export async function tagsNamed(db: Db, names: readonly string[]): Promise<Tag[]> {
  return await named(db, { names: names.map(name => name.toLowerCase()), ids: [] })
}

function tagOf(tags: Tag[], ref: TagRef): Tag | undefined {
  const byId = tags.find(({ id }) => id === Number(ref))
  if (typeof ref === 'number') return byId
  return tags.find(({ name }) => name.toLowerCase() === ref.toLowerCase()) ?? byId
}

const named = prepared((db, p: { names: string[]; ids: number[] }) =>
  db
    .selectFrom('tags')
    .where(({ or, eb }) =>
      or([eb(sql`lower(name)`, '=', sql`any(${p.names}::text[])`), eb('id', '=', sql<number>`any(${p.ids}::bigint[])`)])
    )
    .select(['id', 'name'])
    .orderBy('id')
    .forKeyShare()
)
