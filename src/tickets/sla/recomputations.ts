import { type SelectQueryBuilder, sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { type DueWork, dueBatch } from '../../core/clock/due-work.ts'
import { type Db, prepared, preparedByKind } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { newestPosition, sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { SlaRecomputationRow } from '../../core/tables/sla-clocks.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { SlaClock } from './clock-types.ts'
import { foldOntoStored } from './fold-stored.ts'
import { type DeskPolicies, deskPolicies } from './world.ts'

type Recomputation = Pick<SlaRecomputationRow, 'cause' | 'subject_id' | 'chooses'>

const allChoose: Recomputation = { cause: 'policy', subject_id: null, chooses: true }

/** What has to be counted again after an event; undefined for nothing. */
function recomputationAskedBy(event: DeskEvent, { namedFields }: DeskPolicies): Recomputation | undefined {
  switch (event.kind) {
    case 'calendar.changed':
      return event.before && event.after
        ? { cause: 'calendar', subject_id: event.subject_id, chooses: false }
        : undefined
    // S12: at once.
    case 'sla_policy.archived':
      return { cause: 'policy', subject_id: event.subject_id, chooses: false }
    case 'sla_policy.created':
    case 'sla_policy.updated':
    case 'sla_policy.unarchived':
    case 'sla_policy.reordered':
      return event.after.apply_to_open ? allChoose : undefined
    // S1: its tickets have other tags, or policies name another one, and none of them has an event of its own.
    case 'tag.merged':
      return namedFields.has('tags') ? { cause: 'policy', subject_id: event.after.into_id, chooses: true } : undefined
    // S1: which tickets had it is known no more, so all open ones choose.
    case 'tag.deleted':
      return namedFields.has('tags') ? allChoose : undefined
    case 'staff.deleted':
      return namedFields.has('assigned_staff_id') ? allChoose : undefined
    case 'organisation.merged':
      return namedFields.has('organisation_id') ? allChoose : undefined
    default:
      return undefined
  }
}

/** Notes what an event asks to be counted again; `row`: its row. */
export async function askForRecomputation(db: Db, desk: DeskPolicies, event: DeskEvent, row: number): Promise<void> {
  const asked = recomputationAskedBy(event, desk)
  if (asked) await insert(db, { ...asked, event: row, at: event.at })
}

/** Counts the clocks again after policies and calendars were changed, some hundred tickets at a time. */
export function slaRecomputations(
  services: Pick<Services, 'db' | 'clock' | 'events'>,
  reader: Parameters<typeof catchUpWithLog>[1]
): DueWork {
  const { db } = services
  return {
    name: 'sla-recomputations',
    async nextDueAt() {
      const [next] = await oldest(db, {})
      return next?.created_at ?? null
    },
    async runDue() {
      // Otherwise what happened before would count as if it had happened after.
      await sequence(services)
      await catchUpWithLog(db, reader)
      return await act(services, system, async act => {
        const [asked] = await lockedOldest(act.db, {})
        return asked ? await recomputeSome(act, asked) : 0
      })
    }
  }
}

/** Recomputes the next tickets. Returns how much was done, at least 1 if anything was. */
async function recomputeSome(act: Act, asked: SlaRecomputationRow): Promise<number> {
  const { db } = act
  const ids = await ticketsOf(db, asked)
  const desk = await deskPolicies(db)
  if (desk && ids.length > 0) {
    const place = (await newestPosition(db)) + 1
    const stored = await foldOntoStored(db, desk, ids, { row: asked.event_id, place })
    const { cause, chooses, event_id: by } = asked
    for (const id of ids) stored.fold(id, { what: 'recomputed', cause, chooses, by, at: act.now.getTime() })
    for (const event of await stored.store()) act.happened(event)
  }
  const isOver = ids.length < dueBatch
  await advance(db, {
    id: asked.id,
    after: ids.at(-1) ?? asked.after_id,
    more: ids.length,
    now: isOver ? act.now : null
  })
  return Math.max(1, ids.length)
}

/** The next tickets whose clocks it concerns, by their ids. */
async function ticketsOf(db: Db, { cause, subject_id: id, chooses, after_id: after }: SlaRecomputationRow) {
  const p = { after, id }
  if (chooses) return (await (id === null ? openTickets : openTagged)(db, p)).map(({ ticket_id }) => ticket_id)
  const rows = await (cause === 'policy' ? ofPolicy(db, p) : ofCalendar(db, p))
  return rows.map(({ ticket_id }) => ticket_id)
}

/** Those of these clocks that a change of a policy or calendar concerns and that were not counted again yet. */
export async function recomputingClocks<C extends Recomputed>(
  db: Db,
  ticket: number,
  clocks: readonly C[]
): Promise<Set<C>> {
  const waiting = await unfinishedFor(db, { ticket })
  const concerns = ({ cause, subject_id: id, chooses }: Recomputation, clock: C) =>
    chooses ||
    (cause === 'policy'
      ? clock.policy_id === id
      : clock.ledger.some(([, , each]) => each === id) || clock.calendar_id === id)
  return new Set(clocks.filter(clock => clock.ended_at === null && waiting.some(each => concerns(each, clock))))
}

/** Those of these tickets of which a running clock is among them. */
export async function recomputingTickets(db: Db, ids: readonly number[]): Promise<Set<number>> {
  return new Set((await concernedTickets(db, { ids })).map(({ ticket_id }) => ticket_id))
}

const concernedTickets = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('sla_recomputations as asked')
    .innerJoin('sla_clocks', join =>
      join.onRef('sla_clocks.ticket_id', '>', 'asked.after_id').on('sla_clocks.ended_at', 'is', null)
    )
    .where('asked.finished_at', 'is', null)
    .where('sla_clocks.ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(
      sql<boolean>`case
        when chooses then subject_id is null
          or exists (select from ticket_tags where ticket_tags.ticket_id = sla_clocks.ticket_id and tag_id = subject_id)
        when cause = 'policy' then policy_id = subject_id
        else calendar_id = subject_id
          or exists (select from jsonb_array_elements(ledger) as entry where (entry ->> 2)::bigint = subject_id)
      end`
    )
    .select('sla_clocks.ticket_id')
    .distinct()
)

type Recomputed = Pick<SlaClock, 'policy_id' | 'calendar_id' | 'ledger' | 'ended_at'>

const unfinishedFor = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('sla_recomputations')
    .where('finished_at', 'is', null)
    .where('after_id', '<', p.ticket)
    .where(({ or, not, eb, exists, selectFrom }) =>
      or([
        not(eb('chooses', '=', true)),
        eb('subject_id', 'is', null),
        exists(
          selectFrom('ticket_tags')
            .where('ticket_id', '=', p.ticket)
            .whereRef('tag_id', '=', 'sla_recomputations.subject_id')
            .select('tag_id')
        )
      ])
    )
    .select(['cause', 'subject_id', 'chooses'])
)

interface After {
  after: number
  id: number | null
}

const openTickets = prepared((db, p: After) => openTicketsQuery(db, p).orderBy('tickets.id').limit(sql.lit(dueBatch)))

const openTagged = prepared((db, p: After) => openTaggedQuery(db, p).orderBy('tickets.id').limit(sql.lit(dueBatch)))

function openTaggedQuery(db: Db, p: After) {
  return openTicketsQuery(db, p)
    .innerJoin('ticket_tags', 'ticket_tags.ticket_id', 'tickets.id')
    .where('ticket_tags.tag_id', '=', p.id)
}

function openTicketsQuery(db: Db, p: After) {
  return db
    .selectFrom('tickets')
    .where('status', '<>', sql.lit('Closed' as const))
    .where('merged_into_id', 'is', null)
    .where('id', '>', p.after)
    .select('id as ticket_id')
}

const ofPolicy = prepared((db, p: After) => ofPolicyQuery(db, p).orderBy('ticket_id').limit(sql.lit(dueBatch)))

const ofCalendar = prepared((db, p: After) => ofCalendarQuery(db, p).orderBy('ticket_id').limit(sql.lit(dueBatch)))

function ofPolicyQuery(db: Db, p: After) {
  return openClocks(db, p).where('policy_id', '=', p.id)
}

/** Those of which a part was counted by the calendar too. */
function ofCalendarQuery(db: Db, p: After) {
  return openClocks(db, p).where(({ or, eb }) =>
    or([
      eb('calendar_id', '=', p.id),
      sql<boolean>`exists (select from jsonb_array_elements(ledger) as entry where (entry ->> 2)::bigint = ${p.id})`
    ])
  )
}

function openClocks(db: Db, p: After) {
  return db
    .selectFrom('sla_clocks')
    .where('ended_at', 'is', null)
    .where('ticket_id', '>', p.after)
    .select('ticket_id')
    .distinct()
}

/** How many tickets have been counted anew, of how many; undefined if nothing is left to count. Of very many a first part counts. */
export async function recomputationProgress(db: Db): Promise<{ done: number; total: number } | undefined> {
  const waiting = await allUnfinished(db, {})
  if (waiting.length === 0) return undefined
  let [done, total] = [0, 0]
  for (const { after_id: after, subject_id: id, done: counted, cause, chooses } of waiting) {
    const kind = JSON.stringify([cause, chooses, id === null])
    const left = leftOf({ cause, chooses, subject_id: id })
    const [found] = await countByKind(db, { after, id }, kind, (db, p) =>
      db
        .selectFrom(left(db, p).limit(sql.lit(mostLeft)).as('left'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
    )
    done += counted
    total += counted + found!.count
  }
  return { done, total }
}

const mostLeft = 100_000

const countByKind = preparedByKind<After, { count: number }>()

/** The query of what is left of it. */
function leftOf({ cause, subject_id, chooses }: Recomputation): TicketsAfter {
  if (chooses) return subject_id === null ? openTicketsQuery : openTaggedQuery
  return cause === 'policy' ? ofPolicyQuery : ofCalendarQuery
}

type TicketsAfter = (db: Db, p: After) => SelectQueryBuilder<Tables, keyof Tables, { ticket_id: number }>

const columns = [
  'id',
  'cause',
  'subject_id',
  'chooses',
  'event_id',
  'after_id',
  'done',
  'created_at',
  'finished_at'
] as const

const oldest = prepared(db => unfinished(db).select('created_at').limit(sql.lit(1)))
const lockedOldest = prepared(db => unfinished(db).select(columns).limit(sql.lit(1)).forUpdate().skipLocked())
const allUnfinished = prepared(db => unfinished(db).select(columns))

function unfinished(db: Db) {
  return db.selectFrom('sla_recomputations').where('finished_at', 'is', null).orderBy('id')
}

const insert = prepared((db, p: Recomputation & { event: number; at: Date }) =>
  db
    .insertInto('sla_recomputations')
    .values({
      cause: p.cause,
      subject_id: p.subject_id,
      chooses: p.chooses,
      event_id: p.event,
      created_at: p.at
    })
    .onConflict(conflict => conflict.column('event_id').doNothing())
)

const advance = prepared((db, p: { id: number; after: number; more: number; now: Date | null }) =>
  db
    .updateTable('sla_recomputations')
    .where('id', '=', p.id)
    .set(eb => ({ after_id: p.after, done: eb('done', '+', p.more), finished_at: p.now }))
)
