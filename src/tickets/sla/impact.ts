import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { slaMetrics } from '../../core/tables/sla-policies.ts'
import { Id, IsoTime, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { Count, TicketNumber } from '../ticket/schemas.ts'
import type { SlaClock, TicketClocks, TimelineChange } from './clock-types.ts'
import { foldEvent } from './fold.ts'
import { storedTickets } from './stored-clocks.ts'
import { runningOf } from './ticket-clocks.ts'
import { foldedBefore, withoutErased } from './ticket-timeline.ts'
import { type DeskPolicies, rowsToChoose, worldOf } from './world.ts'

/** What a change that is not saved would change: of the clocks of open tickets, and what was and will be due of some of them. */
export const ClockImpact = Type.Object({
  running_clocks: { ...Count, description: 'How many would run or stand then.' },
  earlier: Count,
  later: Count,
  newly_breached: { ...Count, description: 'How many would be late at once.' },
  lifted: { ...Count, description: 'How many would not be late any more.' },
  is_partial: Type.Boolean({
    examples: [false],
    description: 'There are so many open tickets that not all were counted, but the newest.'
  }),
  sample: Type.Array(
    Type.Object({
      ticket: Type.Object({ id: Id(), ticket_number: TicketNumber, subject: OutputText('The printer is on fire') }),
      metric: OneOf(slaMetrics),
      was: Nullable(IsoTime()),
      will_be: Nullable(IsoTime())
    }),
    { maxItems: 20 }
  )
})

const mostTickets = 20_000
const batch = 500
const mostSamples = 20

/**
 * Folds a recomputation onto the clocks of every open ticket, by what is proposed, and compares them with what they are. Nothing is written. Throws
 * the reason of `signal` once that is aborted.
 */
export async function clockImpact(
  db: Db,
  proposed: DeskPolicies,
  change: Extract<TimelineChange, { what: 'recomputed' }>,
  now: Date,
  signal: AbortSignal
): Promise<Static<typeof ClockImpact>> {
  const impact = { running_clocks: 0, earlier: 0, later: 0, newly_breached: 0, lifted: 0 }
  const samples: { ticket: number; metric: SlaClock['metric']; was: number | null; willBe: number | null }[] = []
  let [before, seen] = [Number.MAX_SAFE_INTEGER, 0]
  for (;;) {
    signal.throwIfAborted()
    const ids = (await openTickets(db, { before })).map(({ id }) => id)
    const [states, rows] = [await statesOf(db, proposed, ids), await rowsToChoose(db, proposed, ids)]
    for (const ticket of ids) {
      const state = states.get(ticket)
      if (!state) continue
      const event = { ...change, by: state.by, at: now.getTime() }
      const after = foldEvent(worldOf(proposed, rows.get(ticket)), state, event)
      for (const { metric, was, will } of paired(state, after)) {
        if (will) impact.running_clocks++
        const [wasDue, willBeDue] = [was?.due_at ?? null, will?.due_at ?? null]
        if (was && will) {
          if (isEarlier(willBeDue, wasDue)) impact.earlier++
          else if (isEarlier(wasDue, willBeDue)) impact.later++
        }
        const [wasLate, willBeLate] = [isLate(was, now), isLate(will, now)]
        if (willBeLate && !wasLate) impact.newly_breached++
        if (wasLate && !willBeLate) impact.lifted++
        if (samples.length < mostSamples && wasDue !== willBeDue) {
          samples.push({ ticket, metric, was: wasDue, willBe: willBeDue })
        }
      }
    }
    seen += ids.length
    if (ids.length < batch || seen >= mostTickets) break
    before = ids.at(-1)!
  }
  return { ...impact, is_partial: seen >= mostTickets, sample: await named(db, samples) }
}

/** The clocks as they are stored, and for tickets that were not read yet what their timelines say. */
async function statesOf(db: Db, desk: DeskPolicies, ids: readonly number[]): Promise<Map<number, TicketClocks>> {
  const stored = await storedTickets(db, ids)
  const unread = await withoutErased(
    db,
    ids.filter(id => !stored.has(id))
  )
  const everything = { row: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER }
  return new Map([...stored, ...(await foldedBefore(db, worldOf(desk, undefined), unread, everything))])
}

/** The clocks that have not ended before or after, by what they measure. */
function paired(before: TicketClocks, after: TicketClocks) {
  const [former, present] = [runningOf(before), runningOf(after)]
  return slaMetrics.flatMap(metric => {
    const [was, will] = [former, present].map(clocks => clocks.find(clock => clock.metric === metric))
    return was || will ? [{ metric, was, will }] : []
  })
}

/** What is not due at all comes last. */
function isEarlier(one: number | null, other: number | null): boolean {
  return one !== null && (other === null || one < other)
}

function isLate(clock: SlaClock | undefined, now: Date): boolean {
  return clock !== undefined && (clock.breached_at !== null || (clock.due_at !== null && clock.due_at < now.getTime()))
}

async function named(
  db: Db,
  samples: { ticket: number; metric: SlaClock['metric']; was: number | null; willBe: number | null }[]
): Promise<Static<typeof ClockImpact>['sample']> {
  const tickets = new Map(
    (await ticketsById(db, { ids: samples.map(({ ticket }) => ticket) })).map(row => [row.id, row])
  )
  return samples.flatMap(({ ticket: id, metric, was, willBe }) => {
    const ticket = tickets.get(id)
    return ticket ? [{ ticket, metric, was: timeOf(was), will_be: timeOf(willBe) }] : []
  })
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

const openTickets = prepared((db, p: { before: number }) =>
  db
    .selectFrom('tickets')
    .where('status', '<>', sql.lit('Closed' as const))
    .where('merged_into_id', 'is', null)
    .where('trashed_at', 'is', null)
    .where('id', '<', p.before)
    .select('id')
    .orderBy('id', 'desc')
    .limit(sql.lit(batch))
)

const ticketsById = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'ticket_number', 'subject'])
)
