import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { type Static, Type } from 'typebox'
import type { DeskActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketViewRow } from '../../core/tables/queue.ts'
import { failure } from '../../kit/errors.ts'
import { BooleanInput, Flag, Id, Name, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { type Conditions, ListConditions } from '../conditions/schemas.ts'
import { namedConditions } from '../conditions/stored-conditions.ts'
import { StaffPerson } from '../ticket/desk-schemas.ts'
import { FieldFilters } from './field-filter.ts'
import { filtersIn, QueueQuery, type QueueSelection, queueQueryOptions, selectionOf } from './queue-query.ts'

export const ViewNotFound = failure(404, 'view_not_found', 'There is no such view')

export const savedViewFields = {
  name: Name(100, 'Waiting in billing'),
  // Custom fields are filtered as in a list, and kept as conditions.
  query: Type.Object({ ...QueueQuery.properties, fields: Type.Optional(FieldFilters) }, queueQueryOptions),
  /** The same as `query.conditions`. */
  conditions: Type.Optional(ListConditions),
  is_shared: Type.Optional(BooleanInput(0)),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, examples: [1] }))
}

export const SavedView = Type.Object({
  id: Id(),
  name: OutputText('Waiting in billing'),
  query: QueueQuery,
  // The filters and conditions of the query in one.
  conditions: ListConditions,
  is_shared: Flag(0),
  position: Type.Integer({ minimum: 0, examples: [1] }),
  owner: Nullable(StaffPerson),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

/** A view with its owner, if they still exist. Its query and conditions are as the API shows them; those stored are what its tickets fit. */
export interface OwnedView extends Omit<StoredView, 'conditions'> {
  query: QueueQuery
  conditions: Conditions
  stored: Conditions
}

/** A row: its query as it was given, without conditions. All of its conditions are null if a process of an older version wrote it. */
interface StoredView extends Omit<TicketViewRow, 'query' | 'conditions' | 'conditions_version'> {
  query: QueueQuery
  conditions: Conditions | null
  owner: Static<typeof StaffPerson> | null
}

export function savedViewView({
  personal_to: _,
  shared_by: __,
  stored: ___,
  ...view
}: OwnedView): Static<typeof SavedView> {
  return {
    ...view,
    is_shared: bit(view.is_shared),
    created_at: timestamp(view.created_at),
    updated_at: timestamp(view.updated_at)
  }
}

/** The list of a view's tickets. */
export function selectionOfView({ query, stored }: OwnedView): QueueSelection {
  return { ...selectionOf(query), conditions: stored }
}

/** The shared views and the actor's own, in order. */
export async function savedViews(db: Db, actor: DeskActor): Promise<OwnedView[]> {
  return await shown(db, await allVisible(db, { staff: actor.id }))
}

/** One of these. Throws `ViewNotFound`, also for a personal view of somebody else. */
export async function savedView(db: Db, actor: DeskActor, id: number): Promise<OwnedView> {
  const [view] = await shown(db, await visibleById(db, { id, staff: actor.id }))
  if (!view) throw ViewNotFound()
  return view
}

/** A view after a change, for the actor who made it, even if it now belongs to somebody else. */
export async function changedView(db: Db, id: number): Promise<OwnedView> {
  const [view] = await shown(db, await byId(db, { id }))
  return view!
}

async function shown(db: Db, rows: readonly StoredView[]): Promise<OwnedView[]> {
  const stored = rows.map(({ query, conditions }) => conditions ?? selectionOf(query).conditions)
  const named = await namedConditions(db, stored)
  return rows.map((row, at) => {
    const query = queryOf(row.query, named[at]!)
    return { ...row, query, conditions: named[at]!, stored: stored[at]! }
  })
}

/** The query as it was given: its filters are the first of its conditions, and a tag may have another name by now. */
function queryOf(query: QueueQuery, { all }: Conditions): QueueQuery {
  const filters = filtersIn(query)
  const tag = [all[filters.indexOf('tag')]?.any[0]?.value].flat()[0]
  const own = all.slice(filters.length)
  return {
    ...query,
    ...(query.tag !== undefined && typeof tag === 'string' ? { tag } : {}),
    ...(own.length > 0 ? { conditions: { all: own } } : {})
  }
}

function visible(db: Db, p: { staff: number | null }) {
  return owned(db).where(({ or, eb }) => or([eb('is_shared', '=', sql.lit(true)), eb('personal_to', '=', p.staff)]))
}

function owned(db: Db) {
  return (
    db
      .selectFrom('ticket_views')
      .select(['ticket_views.id', 'personal_to', 'shared_by', 'is_shared', 'name', 'query', 'position', 'version'])
      .select(['ticket_views.created_at', 'ticket_views.updated_at'])
      .select(sql<Conditions | null>`case when conditions_version = version then conditions end`.as('conditions'))
      .select(db =>
        jsonObjectFrom(
          db
            .selectFrom('staff')
            .where('staff.id', '=', ({ fn }) => fn.coalesce('ticket_views.personal_to', 'ticket_views.shared_by'))
            .select(['staff.id', 'staff.first_name', 'staff.last_name'])
        ).as('owner')
      )
      // Stored queries have passed the schema.
      .$narrowType<{ query: QueueQuery }>()
  )
}

const allVisible = prepared((db, p: { staff: number | null }) =>
  visible(db, p).orderBy('position').orderBy('is_shared', 'desc').orderBy('id')
)

const visibleById = prepared((db, p: { id: number; staff: number | null }) => visible(db, p).where('id', '=', p.id))

const byId = prepared((db, p: { id: number }) => owned(db).where('id', '=', p.id))
