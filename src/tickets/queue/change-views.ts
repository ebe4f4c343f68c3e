import { type SqlBool, sql } from 'kysely'
import { type DeskActor, hasPermission } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { saveUses } from '../../core/definitions/uses.ts'
import { Forbidden, failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { requireCustomFields } from '../conditions/custom-fields.ts'
import type { Conditions } from '../conditions/schemas.ts'
import { storedConditions } from '../conditions/stored-conditions.ts'
import { usesIn } from '../conditions/uses-in-conditions.ts'
import { withFieldConditions } from './field-filter.ts'
import { type QueueQuery, selectionOf } from './queue-query.ts'
import { changedView, type OwnedView, savedView } from './saved-views.ts'

const maxPersonal = 50
const maxShared = 50

export const TooManyViews = failure(
  409,
  'too_many_views',
  `There can be ${maxPersonal} personal views per person and ${maxShared} shared ones: delete one first`
)

interface NewView {
  name: string
  query: QueueQuery & { fields?: Readonly<Record<string, unknown>> }
  /** Those of the query. */
  conditions?: Conditions
  is_shared?: 0 | 1
  /** Last by default. */
  position?: number
}

/** Saves a query under a name, personal or shared. Sharing needs `tickets.view_all` (`Forbidden`). Throws `TooManyViews`. */
export async function createView(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { name, query: given, conditions, is_shared = 0, position }: NewView
): Promise<OwnedView> {
  if (is_shared) requireMayShare(actor)
  const asked = withConditions(given, conditions)
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await oneAtATime(db)
    const query = await withFieldConditions(db, asked)
    const owners = ownersOf(actor.id, is_shared === 1)
    const at = await enter(db, actor, owners, position)
    const { written, stored } = await writtenQuery(db, query)
    const [added] = await insertView(db, { ...owners, name, ...written, position: at, now: act.now })
    await saveUses(db, { kind: 'view', id: added!.id }, usesIn(stored))
    const view = await changedView(db, added!.id)
    act.happened({ kind: 'view.created', subject: { type: 'view', id: view.id }, after: factsOf(view) })
    return view
  })
}

/**
 * Changes the given fields; `position` moves the view, and those between shift. A shared view may be changed by its owner or an admin
 * (`Forbidden`); unshared, only its owner sees it. Throws `ViewNotFound`, `VersionConflict`, `TooManyViews`.
 */
export async function updateView(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, expected_version, ...changes }: Partial<NewView> & { id: number; expected_version?: number }
): Promise<OwnedView> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await oneAtATime(db)
    const former = await changeableView(db, actor, id, expected_version)
    const isShared = changes.is_shared === undefined ? former.is_shared : changes.is_shared === 1
    if (isShared && !former.is_shared) requireMayShare(actor)
    const query = changes.query
      ? await withFieldConditions(db, withConditions(changes.query, changes.conditions))
      : { ...former.query, ...(changes.conditions && { conditions: changes.conditions }) }
    const isOtherQuery = JSON.stringify(query) !== JSON.stringify(former.query)

    // A shared view whose owner was deleted has no owner until an admin makes it personal.
    const owners = ownersOf(former.owner?.id ?? (isShared ? null : actor.id), isShared)
    const position =
      isShared === former.is_shared
        ? await moveTo(db, former, changes.position)
        : await enter(db, actor, owners, changes.position)
    const name = changes.name ?? former.name
    const isSame = name === former.name && !isOtherQuery && isShared === former.is_shared
    if (isSame && position === former.position) return former

    const { written, stored } = await writtenQuery(db, query)
    await rewrite(db, { id, ...owners, name, ...written, position, now: act.now })
    await saveUses(db, { kind: 'view', id }, usesIn(stored))
    const view = await changedView(db, id)
    act.happened({
      kind: 'view.updated',
      subject: { type: 'view', id },
      before: factsOf(former),
      // Records that the query changed, not the query itself: it may contain names of people.
      after: { ...factsOf(view), ...(isOtherQuery ? { query_changed: true } : {}) }
    })
    return view
  })
}

/** Deletes a view permanently. Throws `ViewNotFound`, `Forbidden`, `VersionConflict`. */
export async function deleteView(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  { id, expected_version }: { id: number; expected_version?: number }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    await oneAtATime(db)
    const former = await changeableView(db, actor, id, expected_version)
    await remove(db, { id })
    act.happened({ kind: 'view.deleted', subject: { type: 'view', id }, before: factsOf(former) })
  })
}

function requireMayShare(actor: DeskActor): void {
  if (!hasPermission(actor, 'tickets.view_all'))
    throw Forbidden({ message: 'Views are shared by who sees all tickets' })
}

/** The query with these conditions. Throws `InvalidFields` if it has others. */
function withConditions<Query extends QueueQuery>(query: Query, conditions: Conditions | undefined): Query {
  if (!conditions) return query
  if (query.conditions) {
    throw InvalidFields({ message: 'conditions and query.conditions mean the same: send one', errors: ['conditions'] })
  }
  return { ...query, conditions }
}

/** A query as it is stored: as it was given, and all of it as conditions. */
async function writtenQuery(db: Db, query: QueueQuery) {
  const { conditions: _, ...given } = query
  if (query.conditions) await requireCustomFields(db, query.conditions, { areListed: true })
  const stored: Conditions = await storedConditions(db, selectionOf(query).conditions)
  return { stored, written: { query: JSON.stringify(given), conditions: JSON.stringify(stored) } }
}

/** Counts and positions of views change together, so that changes wait for one another. */
async function oneAtATime(db: Db): Promise<void> {
  await sql`lock table ticket_views in share row exclusive mode`.execute(db)
}

async function changeableView(
  db: Db,
  actor: DeskActor,
  id: number,
  expectedVersion: number | undefined
): Promise<OwnedView> {
  const view = await savedView(db, actor, id)
  const isOwner = view.owner?.id === actor.id
  if (!isOwner && actor.population === 'staff' && actor.role !== 'admin') {
    throw Forbidden({ message: 'A shared view is changed by whoever made it, or an admin' })
  }
  requireVersion(view.version, expectedVersion)
  return view
}

/** The owner of a view: one person, or everybody, with the person who shares it. */
interface Owners {
  personalTo: number | null
  sharedBy: number | null
}

function ownersOf(staffId: number | null, isShared: boolean): Owners {
  return isShared ? { personalTo: null, sharedBy: staffId } : { personalTo: staffId, sharedBy: null }
}

/** Makes room for one more view in its group, the shared ones or the owner's; returns its position. Throws `TooManyViews`. */
async function enter(db: Db, actor: DeskActor, { personalTo }: Owners, wanted: number | undefined): Promise<number> {
  const [group] = await groupOf(db, { personalTo, staff: actor.id })
  const { views, last, positions } = group!
  if (views >= (personalTo === null ? maxShared : maxPersonal)) throw TooManyViews()
  const position = wanted ?? last + 1
  if (positions?.includes(position)) await shift(db, { personalTo, from: position, to: maxPosition, by: 1 })
  return position
}

/** Moves a view within its group; returns its new position. */
async function moveTo(db: Db, view: OwnedView, wanted: number | undefined): Promise<number> {
  const { personal_to: personalTo, position: former } = view
  if (wanted === undefined || wanted === former) return former
  if (wanted < former) await shift(db, { personalTo, from: wanted, to: former - 1, by: 1 })
  else await shift(db, { personalTo, from: former + 1, to: wanted, by: -1 })
  return wanted
}

/** The name is recorded for shared views only: nobody but their owners knows of personal ones. */
function factsOf({ name, is_shared, position }: OwnedView) {
  return { ...(is_shared ? { name } : {}), is_shared, position }
}

const maxPosition = 2 ** 30

function inGroup(personalTo: number | null) {
  return sql<SqlBool>`personal_to is not distinct from ${personalTo}::bigint`
}

/** The number of views in a group, their positions, and the last position among all that the actor sees. */
const groupOf = prepared((db, p: { personalTo: number | null; staff: number | null }) =>
  db
    .selectFrom('ticket_views')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(inGroup(p.personalTo)).as('views'),
      sql<number[] | null>`json_agg(position) filter (where ${inGroup(p.personalTo)})`.as('positions'),
      sql<number>`coalesce(max(position) filter (where is_shared or personal_to = ${p.staff}), 0)`.as('last')
    ])
)

const shift = prepared((db, p: { personalTo: number | null; from: number; to: number; by: number }) =>
  db
    .updateTable('ticket_views')
    .where(inGroup(p.personalTo))
    .where('position', '>=', p.from)
    .where('position', '<=', p.to)
    .set(eb => ({ position: eb('position', '+', p.by) }))
)

interface Written extends Owners {
  name: string
  query: string
  conditions: string
  position: number
  now: Date
}

const insertView = prepared((db, p: Written) =>
  db
    .insertInto('ticket_views')
    .values({
      personal_to: p.personalTo,
      shared_by: p.sharedBy,
      is_shared: sql`${p.personalTo}::bigint is null`,
      name: p.name,
      query: p.query,
      conditions: p.conditions,
      conditions_version: sql.lit(1),
      position: p.position,
      created_at: p.now,
      updated_at: p.now
    })
    .returning('id')
)

const rewrite = prepared((db, p: Written & { id: number }) =>
  db
    .updateTable('ticket_views')
    .where('id', '=', p.id)
    .set(eb => ({
      personal_to: p.personalTo,
      shared_by: p.sharedBy,
      is_shared: sql`${p.personalTo}::bigint is null`,
      name: p.name,
      query: p.query,
      conditions: p.conditions,
      conditions_version: eb('version', '+', 1),
      position: p.position,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('ticket_views').where('id', '=', p.id))
