import { sql } from 'kysely'
import type { ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'
import type { TagRef } from '../ticket/desk-schemas.ts'
import { raiseVersion } from '../ticket/raise-version.ts'
import { type Tag, tagsFor } from './tag-refs.ts'

/** The new tags of a ticket: exactly these, or its present ones with some added and some removed. */
export interface Tagging {
  tags?: TagRef[]
  add?: TagRef[]
  remove?: TagRef[]
}

/**
 * Changes the tags of a ticket; its version rises, the time of update that the client sees does not. Throws `UnknownTag`, and what
 * `changeTicket` does.
 */
export async function tagTicket(services: ActServices, change: Change, tagging: Tagging) {
  return await changeTicket(services, change, ({ db }, { id }) => changeTagsLocked(db, id, tagging))
}

/** The same for a locked ticket: returns the event, or undefined if it has these tags already. Throws `UnknownTag`. */
export async function changeTagsLocked(db: Db, id: number, { tags, add = [], remove = [] }: Tagging) {
  const had = await tagsOf(db, { id })
  const kept = tags ? await tagsFor(db, tags) : had
  const added = await tagsFor(db, add, 'add')
  const removed = await tagsFor(db, remove, 'remove')
  const wanted = new Map([...kept, ...added].map(tag => [tag.id, tag]))
  for (const { id } of removed) wanted.delete(id)

  const isSame = wanted.size === had.length && had.every(({ id }) => wanted.has(id))
  return isSame ? undefined : await tagLocked(db, id, had, [...wanted.values()])
}

/** Sets exactly these tags on a locked ticket and returns the event. */
export async function tagLocked(db: Db, id: number, had: readonly Tag[], tags: readonly Tag[]) {
  await setTags(db, id, tags)
  await raiseVersion(db, { id })
  return { kind: 'ticket.tagged' as const, before: { tags: namesOf(had) }, after: { tags: namesOf(tags) } }
}

/** Sets exactly these tags on a ticket. */
export async function setTags(db: Db, ticketId: number, tags: readonly Tag[]): Promise<void> {
  const ids = tags.map(({ id }) => id)
  await removeOthers(db, { ticketId, ids })
  await addMissing(db, { ticketId, ids })
}

/** The names of tags as events record them. */
export function namesOf(tags: readonly Tag[]): string[] {
  return tags.map(({ name }) => name).toSorted()
}

export const tagsOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('ticket_tags')
    .innerJoin('tags', 'tags.id', 'ticket_tags.tag_id')
    .where('ticket_tags.ticket_id', '=', p.id)
    .select(['tags.id', 'tags.name'])
)

const removeOthers = prepared((db, p: { ticketId: number; ids: number[] }) =>
  db
    .deleteFrom('ticket_tags')
    .where('ticket_id', '=', p.ticketId)
    .where('tag_id', '<>', sql<number>`all(${p.ids}::bigint[])`)
)

const addMissing = prepared((db, p: { ticketId: number; ids: number[] }) =>
  db
    .insertInto('ticket_tags')
    .columns(['ticket_id', 'tag_id'])
    .expression(db =>
      db
        .selectFrom('tags')
        .where('tags.id', '=', sql<number>`any(${p.ids}::bigint[])`)
        .select(eb => [sql<number>`${p.ticketId}::bigint`.as('ticket_id'), eb.ref('tags.id').as('tag_id')])
    )
    .onConflict(conflict => conflict.doNothing())
)
