import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TagRow } from '../../core/tables/tags.ts'
import { failure } from '../../kit/errors.ts'
import { Id, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'
import { deskVisibility, preparedForVisible, type TicketVisibility, type VisibleTickets } from '../ticket/visibility.ts'

export const TagNotFound = failure(404, 'tag_not_found', 'There is no such tag')

/** The highest count: a tag on most tickets would take long to count, each time it is shown. */
const maxCounted = 10_000

/** A tag, and the number of tickets with it that the actor sees, also in the trash, up to `maxCounted`. */
export interface CountedTag extends TagRow {
  ticket_count: number
}

/** A page of the tags whose name contains `search`, by name, and their number. */
export async function tagsByName(
  db: Db,
  actor: StaffActor,
  search: string | undefined,
  { limit, offset }: Page
): Promise<{ tags: CountedTag[]; total: number }> {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const [tags, [counted]] = await Promise.all([
    page(db, countedFor(actor), { pattern, limit, offset }),
    count(db, { pattern })
  ])
  return { tags, total: counted!.total }
}

/** The tag with its count. Throws `TagNotFound`. */
export async function countedTag(db: Db, actor: StaffActor, id: number): Promise<CountedTag> {
  const [tag] = await byId(db, countedFor(actor), { id })
  if (!tag) throw TagNotFound()
  return tag
}

export const CountedTagView = Type.Object({
  id: Id(),
  name: OutputText('urgent'),
  color: OutputText('#c0392b'),
  version: Version,
  ticket_count: Type.Integer({
    minimum: 0,
    maximum: maxCounted,
    examples: [12],
    description: 'The number of tickets with it that the caller sees, those in the trash too, up to 10,000.'
  }),
  created_at: Timestamp()
})

export function countedTagView(tag: CountedTag): Static<typeof CountedTagView> {
  return { ...tag, created_at: timestamp(tag.created_at) }
}

function countedFor(actor: StaffActor): TicketVisibility {
  return { ...deskVisibility(actor), trash: 'too' }
}

const counted = (seen: VisibleTickets, db: Db) =>
  db
    .selectFrom('tags')
    .select(['tags.id', 'tags.name', 'tags.color', 'tags.created_at', 'tags.version'])
    .select(({ selectFrom, fn }) =>
      selectFrom(
        seen
          .innerJoin('ticket_tags', 'ticket_tags.ticket_id', 'tickets.id')
          .where('ticket_tags.tag_id', '=', sql.ref<number>('tags.id'))
          .select('tickets.id')
          .limit(sql.lit(maxCounted))
          .as('tagged')
      )
        .select(fn.countAll<number>().as('tickets'))
        .$asScalar()
        .$notNull()
        .as('ticket_count')
    )

const page = preparedForVisible((seen, p: { pattern: string; limit: number; offset: number }, db) =>
  counted(seen, db)
    .where('tags.name', 'ilike', p.pattern)
    .orderBy(sql`lower(tags.name)`)
    .limit(p.limit)
    .offset(p.offset)
)

const count = prepared((db, p: { pattern: string }) =>
  db
    .selectFrom('tags')
    .where('name', 'ilike', p.pattern)
    .select(({ fn }) => fn.countAll<number>().as('total'))
)

const byId = preparedForVisible((seen, p: { id: number }, db) => counted(seen, db).where('tags.id', '=', p.id))
