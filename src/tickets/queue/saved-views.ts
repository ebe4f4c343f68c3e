import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketViewRow } from '../../core/tables/queue.ts'
import { failure } from '../../kit/errors.ts'
import { BooleanInput, Flag, Id, Name, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { StaffPerson } from '../ticket/desk-schemas.ts'
import { QueueQuery } from './queue-query.ts'

export const ViewNotFound = failure(404, 'view_not_found', 'There is no such view')

export const savedViewFields = {
  name: Name(100, 'Waiting in billing'),
  query: QueueQuery,
  is_shared: Type.Optional(BooleanInput(0)),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, examples: [1] }))
}

export const SavedView = Type.Object({
  id: Id(),
  name: OutputText('Waiting in billing'),
  query: QueueQuery,
  is_shared: Flag(0),
  position: Type.Integer({ minimum: 0, examples: [1] }),
  owner: Nullable(StaffPerson),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

/** A view with its owner, if they still exist. */
export type OwnedView = TicketViewRow & { query: QueueQuery; owner: Static<typeof StaffPerson> | null }

export function savedViewView({ personal_to: _, shared_by: __, ...view }: OwnedView): Static<typeof SavedView> {
  return {
    ...view,
    is_shared: bit(view.is_shared),
    created_at: timestamp(view.created_at),
    updated_at: timestamp(view.updated_at)
  }
}

/** The shared views and the actor's own, in order. */
export async function savedViews(db: Db, actor: StaffActor): Promise<OwnedView[]> {
  return await allVisible(db, { staff: actor.id })
}

/** One of these. Throws `ViewNotFound`, also for a personal view of somebody else. */
export async function savedView(db: Db, actor: StaffActor, id: number): Promise<OwnedView> {
  const [view] = await visibleById(db, { id, staff: actor.id })
  if (!view) throw ViewNotFound()
  return view
}

/** A view after a change, for the actor who made it, even if it now belongs to somebody else. */
export async function changedView(db: Db, id: number): Promise<OwnedView> {
  const [view] = await byId(db, { id })
  return view!
}

function visible(db: Db, p: { staff: number }) {
  return owned(db).where(({ or, eb }) => or([eb('is_shared', '=', sql.lit(true)), eb('personal_to', '=', p.staff)]))
}

function owned(db: Db) {
  return (
    db
      .selectFrom('ticket_views')
      .selectAll('ticket_views')
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

const allVisible = prepared((db, p: { staff: number }) =>
  visible(db, p).orderBy('position').orderBy('is_shared', 'desc').orderBy('id')
)

const visibleById = prepared((db, p: { id: number; staff: number }) => visible(db, p).where('id', '=', p.id))

const byId = prepared((db, p: { id: number }) => owned(db).where('id', '=', p.id))
