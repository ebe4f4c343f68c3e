import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { requireUnused } from '../../core/definitions/uses.ts'
import type { TagRow } from '../../core/tables/tags.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { replaceTag } from '../conditions/replace-tag.ts'
import { type CountedTag, countedTag, TagNotFound } from './tags.ts'

export const TagExists = failure(409, 'tag_exists', 'There is a tag of this name already')
export const SameTag = failure(400, 'same_tag', 'A tag cannot be merged into itself')

type Facts = Pick<TagRow, 'name' | 'color'>

/** Creates a tag; its name is unique regardless of case. Throws `TagExists`. */
export async function createTag(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { name, color = defaultColor }: { name: string; color?: string }
): Promise<CountedTag> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const after = { name, color: color.toLowerCase() }
    const [created] = await insertTag(db, { ...after, now: act.now })
    if (!created) throw TagExists({ errors: ['name'] })
    const tag = await countedTag(db, actor, created.id)
    act.happened({ kind: 'tag.created', subject: subjectOf(tag), after })
    return tag
  })
}

/** Creates those of these tags that there are not, in a write that names them. */
export async function createMissingTags(act: Act, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const after = { name, color: defaultColor }
    const [created] = await insertTag(act.db, { ...after, now: act.now })
    if (created) act.happened({ kind: 'tag.created', subject: subjectOf(created), after })
  }
}

/** Renames or recolors a tag; missing fields stay. Throws `TagNotFound`, `TagExists`, `VersionConflict`. */
export async function updateTag(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, name, color, expected_version }: { id: number; name?: string; color?: string; expected_version?: number }
): Promise<CountedTag> {
  return await unlessNameTaken(() =>
    act(services, { actor, caller }, async act => {
      const { db } = act
      const [former] = await lockedTags(db, { ids: [id] })
      if (!former) throw TagNotFound()
      requireVersion(former.version, expected_version)
      const before: Facts = { name: former.name, color: former.color }
      const after: Facts = { name: name ?? former.name, color: color?.toLowerCase() ?? former.color }
      if (after.name === before.name && after.color === before.color) return await countedTag(db, actor, id)

      await rewrite(db, { id, ...after })
      const tag = await countedTag(db, actor, id)
      act.happened({ kind: 'tag.updated', subject: subjectOf(tag), before, after })
      return tag
    })
  )
}

/**
 * Merges a tag into another: it is replaced by the other one on every ticket and in every definition, and deleted. Returns the other one, and how many tickets had
 * the first. Throws `SameTag`, `TagNotFound`, and `VersionConflict` for the version of the first.
 */
export async function mergeTags(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { from, into, expectedVersion }: { from: number; into: number; expectedVersion?: number }
): Promise<{ tag: CountedTag; moved: number }> {
  if (from === into) throw SameTag({ errors: ['into_id'] })
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const tags = await lockedTags(db, { ids: [from, into] })
    const [merged, kept] = [tags.find(({ id }) => id === from), tags.find(({ id }) => id === into)]
    if (!merged || !kept) throw TagNotFound()
    requireVersion(merged.version, expectedVersion)

    const moved = await ticketCountOf(db, from)
    await repoint(db, { from, into })
    await replaceTag(db, from, into)
    await remove(db, { id: from })
    const tag = await countedTag(db, actor, into)
    act.happened({
      kind: 'tag.merged',
      subject: subjectOf(merged),
      before: { name: merged.name },
      after: { name: kept.name, into_id: into, tickets: moved }
    })
    return { tag, moved }
  })
}

/** Deletes a tag and removes it from all tickets. Returns how many had it. Throws `TagNotFound`, `VersionConflict`, `InUse`. */
export async function deleteTag(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: { id: number; expected_version?: number }
): Promise<{ tickets: number }> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const [locked] = await lockedTags(db, { ids: [id] })
    if (!locked) throw TagNotFound()
    requireVersion(locked.version, expected_version)
    await requireUnused(db, actor, { kind: 'tag', id })
    const tickets = await ticketCountOf(db, id)
    await remove(db, { id })
    act.happened({ kind: 'tag.deleted', subject: subjectOf(locked), before: { name: locked.name, tickets } })
    return { tickets }
  })
}

/** The number of tickets with a tag, without an upper limit: the caller changes each of them anyway. */
async function ticketCountOf(db: Db, id: number): Promise<number> {
  const [counted] = await countedTickets(db, { id })
  return counted!.tickets
}

const countedTickets = prepared((db, p: { id: number }) =>
  db
    .selectFrom('ticket_tags')
    .where('tag_id', '=', p.id)
    .select(({ fn }) => fn.countAll<number>().as('tickets'))
)

const defaultColor = '#808080'

function subjectOf({ id }: { id: number }) {
  return { type: 'tag', id } as const
}

/** Only the unique index decides whether a name is taken. */
async function unlessNameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'tags_name_key') {
      throw TagExists({ errors: ['name'] })
    }
    throw error
  }
}

const insertTag = prepared((db, p: Facts & { now: Date }) =>
  db
    .insertInto('tags')
    .values({ name: p.name, color: p.color, created_at: p.now })
    .onConflict(conflict => conflict.expression(sql`lower(name)`).doNothing())
    .returning('id')
)

/** Locks tags ordered by id, to avoid deadlocks. Whoever adds one of them to a ticket at the same time waits. */
const lockedTags = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tags')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'name', 'color', 'version'])
    .orderBy('id')
    .forUpdate()
)

const rewrite = prepared((db, p: Facts & { id: number }) =>
  db.updateTable('tags').where('id', '=', p.id).set({ name: p.name, color: p.color })
)

const repoint = prepared((db, p: { from: number; into: number }) =>
  db
    .insertInto('ticket_tags')
    .columns(['ticket_id', 'tag_id'])
    .expression(db =>
      db
        .selectFrom('ticket_tags')
        .where('tag_id', '=', p.from)
        .select(['ticket_id', sql<number>`${p.into}::bigint`.as('tag_id')])
    )
    .onConflict(conflict => conflict.doNothing())
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('tags').where('id', '=', p.id))
