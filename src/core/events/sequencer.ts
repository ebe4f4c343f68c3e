import { sql } from 'kysely'
import { type Db, prepared, transaction } from '../db.ts'
import type { ActorType } from '../tables/columns.ts'
import type { Gap } from '../tables/events.ts'
import { gapsBetween, openGaps, withoutFound } from './gaps.ts'

/** The maximum number of rows that are sequenced in one transaction. */
const batch = 1000

/** The result of one pass; `hasMore`: another pass would find more at once. */
interface Pass {
  placed: number
  /** The newest position now. */
  newest: number
  hasMore: boolean
}

/** An audited event, with its JSON columns as the stored text. */
export interface AuditedEvent {
  kind: string
  subject_type: string
  subject_id: number | null
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  before: string | null
  after: string | null
  ip_address: string | null
  request_id: string | null
  created_at: Date
}

/** Appends events to the audit log, in the transaction that sequences them. */
export type Seal = (db: Db, events: readonly AuditedEvent[]) => Promise<void>

/**
 * Sequences committed rows (assigns their positions) in a transaction of its own, and appends the audited ones to the audit log. Only the process
 * that has locked the sequencer's row may do so: with `wait` we wait for the lock, otherwise the result is undefined if another process has it.
 */
export async function sequenceBatch(db: Db, seal: Seal, { wait }: { wait: boolean }): Promise<Pass | undefined> {
  return await transaction(db, async db => {
    const [state] = await (wait ? lockedState : freeState)(db, {})
    return state && (await sequence(db, seal, state))
  })
}

/** Sequences all of them within the given transaction, which blocks the passes of all other processes until it ends. */
export async function sequenceAllWithin(db: Db, seal: Seal): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const [state] = await lockedState(db, {})
    hasMore = (await sequence(db, seal, state!)).hasMore
  }
}

/** Forgets all gaps, after rows were copied from another database: its transactions never commit here, so the gaps stay empty. */
export async function forgetGaps(db: Db): Promise<void> {
  await db.updateTable('event_sequencer').set({ gaps: '[]' }).execute()
}

/** The newest position, and whether rows may wait to be sequenced. */
export async function logStatus(db: Db): Promise<{ newest: number; isWaiting: boolean }> {
  const [seen] = await look(db, {})
  return seen!
}

interface State {
  last_place: number
  seen_id: number
  gaps: Gap[]
}

async function sequence(db: Db, seal: Seal, state: State): Promise<Pass> {
  const [seen] = await unplaced(db, { seen: state.seen_id, gaps: JSON.stringify(state.gaps), limit: batch })
  const { fresh, late, ...moment } = seen!
  const hasMore = fresh.length === batch || late.length === batch
  const left = withoutFound(state.gaps, late)
  // If the batch is full, the gaps were not searched to their end, so none of them can be closed yet.
  const open = late.length === batch ? left : openGaps(left, moment)
  const gaps = [...open, ...gapsBetween(state.seen_id, fresh, moment)]
  const ids = [...late, ...fresh]
  const newest = state.last_place + ids.length
  if (ids.length > 0 || gaps.length < state.gaps.length) {
    const places = { ids, from: state.last_place, last: newest }
    const [done] = await advance(db, { ...places, seen: fresh.at(-1) ?? state.seen_id, gaps: JSON.stringify(gaps) })
    if (done!.has_audited) await seal(db, await auditedAmong(db, { ids }))
  }
  return { placed: ids.length, newest, hasMore }
}

const freeState = prepared(db => stateOf(db).skipLocked())
const lockedState = prepared(stateOf)

function stateOf(db: Db) {
  return db.selectFrom('event_sequencer').select(['last_place', 'seen_id', 'gaps']).forUpdate()
}

/**
 * Committed rows without a position: rows after the last one seen, and rows in gaps before it. One statement reads them together with the
 * state of the transactions, so that both are of one snapshot.
 */
const unplaced = prepared((db, p: { seen: number; gaps: string; limit: number }) =>
  db.selectNoFrom([
    idsOf(sql`select id from events where id > ${p.seen} order by id limit ${p.limit}`).as('fresh'),
    // Gap by gap, with the index: a join with all of them would scan the log from its beginning.
    idsOf(sql`select found.id from json_to_recordset(${p.gaps}::json) as gap ("from" bigint, "to" bigint)
      cross join lateral (
        select id from events where id between gap.from and gap.to order by id limit ${p.limit}) as found
      order by found.id limit ${p.limit}`).as('late'),
    sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as('oldest'),
    sql<string>`pg_snapshot_xmax(pg_current_snapshot())::text`.as('next'),
    sql<number>`(extract(epoch from clock_timestamp()))::bigint`.as('seconds')
  ])
)

function idsOf(query: ReturnType<typeof sql>) {
  return sql<number[]>`coalesce((select json_agg(id order by id) from (${query}) as rows), '[]')`
}

const advance = prepared((db, p: { ids: readonly number[]; from: number; last: number; seen: number; gaps: string }) =>
  db
    .with('placed', db =>
      db
        .insertInto('event_places')
        .columns(['place', 'event_id'])
        .expression(db => db.selectFrom(listed(p.ids)).select([sql<number>`${p.from} + row.at`.as('place'), 'row.id']))
    )
    .updateTable('event_sequencer')
    .set({ last_place: p.last, seen_id: p.seen, gaps: p.gaps })
    .returning(
      sql<boolean>`exists (select from events where id = any(${p.ids}::bigint[]) and is_audited)`.as('has_audited')
    )
)

/** These ids as rows, each with its place in the list, from 1 on. */
function listed(ids: readonly number[]) {
  return sql<{ id: number; at: number }>`unnest(${ids}::bigint[]) with ordinality`.as<'row'>(sql`row (id, at)`)
}

/** The audited events among these, in the order of their positions. The facts in the audit log may differ from those in the timeline. */
const auditedAmong = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom(listed(p.ids))
    .innerJoin('events', 'events.id', 'row.id')
    .where('events.is_audited', '=', true)
    .select(['events.kind', 'events.subject_type', 'events.actor_type', 'events.actor_id', 'events.actor_name'])
    .select(['events.ip_address', 'events.request_id', 'events.created_at'])
    .select([
      sql<number | null>`coalesce(events.subject_id, events.ticket_id)`.as('subject_id'),
      told('before').as('before'),
      told('after').as('after')
    ])
    .orderBy('row.at')
)

function told(name: 'before' | 'after') {
  const own = sql.ref(`events.${name}`)
  return sql<string | null>`case when audited is null then ${own}::text else (audited -> ${sql.lit(name)})::text end`
}

const look = prepared(db =>
  db.selectFrom('event_sequencer').select('last_place as newest').select(
    // With the index: the planner does not know that nearly all rows have been seen, and would scan from the first.
    sql<boolean>`gaps <> '[]' or (select id from events where id > seen_id order by id limit 1) is not null`.as(
      'isWaiting'
    )
  )
)
