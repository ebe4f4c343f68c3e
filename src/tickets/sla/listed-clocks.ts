import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { countingCalendars } from '../../core/calendars/calendars.ts'
import type { OpenTime } from '../../core/calendars/open-time.ts'
import type { Db } from '../../core/db.ts'
import type { SlaClockRow } from '../../core/tables/sla-clocks.ts'
import { type SlaMetric, slaMetrics } from '../../core/tables/sla-policies.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { Id, IsoTime, maxId, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { isInstant } from '../../lib/time.ts'
import { Priority, Status, TicketNumber } from '../ticket/schemas.ts'
import { deskVisibility, preparedForVisible } from '../ticket/visibility.ts'
import { clockNow } from './clock-now.ts'
import { type ClockState, clockStates } from './shown-clock.ts'

export const ListedClock = Type.Object({
  id: Id(),
  metric: OneOf(slaMetrics),
  state: OneOf(clockStates),
  is_ended: Type.Boolean({ examples: [false] }),
  started_at: IsoTime(),
  due_at: Nullable(IsoTime()),
  breached_at: Nullable(IsoTime()),
  ended_at: Nullable(IsoTime()),
  left_seconds: Type.Integer({ examples: [9_240] }),
  target_seconds: Type.Integer({ minimum: 60, examples: [14_400] }),
  policy: Type.Object({ id: Id(3), name: OutputText('Standard') }),
  ticket: Type.Object({
    id: Id(),
    ticket_number: TicketNumber,
    subject: OutputText('The printer is on fire'),
    status: Status,
    priority: Priority,
    department: Type.Object({ deptid: Id(), name: OutputText('Technical Support') })
  })
})

interface ClockFilter {
  state?: readonly ClockState[]
  metric?: readonly SlaMetric[]
  due_before?: string
  department_id?: number
}

/**
 * A page of the clocks of tickets that the actor sees: what is due first comes first, and last what stands. Without `state` those that have not
 * ended. Throws `InvalidFields` for a cursor of another list.
 */
export async function listedClocks(
  db: Db,
  actor: StaffActor,
  { state, metric, due_before, department_id }: ClockFilter,
  { limit, cursor }: { limit: number; cursor?: string },
  now: Date
): Promise<{ clocks: Static<typeof ListedClock>[]; next_cursor: string | null }> {
  const after = cursor === undefined ? null : placeOf(cursor)
  const rows = await page(db, deskVisibility(actor), {
    now,
    states: state ?? null,
    metrics: metric ?? null,
    dueBefore: due_before === undefined ? null : new Date(due_before),
    deptid: department_id ?? null,
    afterDue: after?.due ?? null,
    afterId: after?.id ?? null,
    limit: limit + 1
  })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const calendars = await countingCalendars(db, [...new Set(shown.map(({ calendar_id }) => calendar_id))])
  return {
    clocks: shown.map(row => ({
      id: row.id,
      metric: row.metric,
      ...nowOf(row, calendars, now),
      started_at: row.started_at.toISOString(),
      due_at: row.due_at?.toISOString() ?? null,
      breached_at: row.breached_at?.toISOString() ?? null,
      ended_at: row.ended_at?.toISOString() ?? null,
      policy: { id: row.policy_id, name: row.policy_name },
      ticket: {
        id: row.ticket_id,
        ticket_number: row.ticket_number,
        subject: row.subject,
        status: row.status,
        priority: row.priority,
        department: { deptid: row.deptid, name: row.department_name }
      }
    })),
    next_cursor: last ? cursorOf(last) : null
  }
}

type ClockRow = Pick<SlaClockRow, 'calendar_id' | 'target_minutes' | 'counted_ms' | 'pause_reason' | 'outcome'> &
  Record<'runs_since' | 'due_at' | 'breached_at' | 'ended_at', Date | null>

function nowOf(row: ClockRow, calendars: ReadonlyMap<number, { open: OpenTime }>, now: Date) {
  const world = { openTime: (id: number) => calendars.get(id)?.open }
  const clock = {
    ...row,
    runs_since: row.runs_since?.getTime() ?? null,
    due_at: row.due_at?.getTime() ?? null,
    breached_at: row.breached_at?.getTime() ?? null,
    ended_at: row.ended_at?.getTime() ?? null
  }
  const { state, is_ended, left_seconds, target_seconds } = clockNow(world, clock, now.getTime())
  return { state, is_ended, left_seconds, target_seconds }
}

interface Asked {
  now: Date
  states: readonly ClockState[] | null
  metrics: readonly SlaMetric[] | null
  dueBefore: Date | null
  deptid: number | null
  /** The last row of the page before; `infinity` for one that is not due. */
  afterDue: string | null
  afterId: number | null
  limit: number
}

const due = sql<string>`coalesce(sla_clocks.due_at, 'infinity')`

/** As `clockNow`. */
const stateOf = (now: Date) => sql<ClockState>`case
  when sla_clocks.ended_at is not null then sla_clocks.outcome
  when sla_clocks.state = 'running' and (sla_clocks.breached_at is not null or sla_clocks.due_at < ${now}) then 'breached'
  else sla_clocks.state end`

const page = preparedForVisible((tickets, p: Asked) =>
  tickets
    .innerJoin('sla_clocks', 'sla_clocks.ticket_id', 'tickets.id')
    .innerJoin('sla_policies', 'sla_policies.id', 'sla_clocks.policy_id')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .where(sql<boolean>`case when ${p.states}::text[] is null then sla_clocks.ended_at is null
      else ${stateOf(p.now)} = any(${p.states}::text[]) end`)
    .where(sql<boolean>`(${p.metrics}::text[] is null or sla_clocks.metric = any(${p.metrics}::text[]))`)
    .where(sql<boolean>`(${p.dueBefore}::timestamptz is null or sla_clocks.due_at < ${p.dueBefore}::timestamptz)`)
    .where(sql<boolean>`(${p.deptid}::bigint is null or departments.deptid = ${p.deptid}::bigint)`)
    .where(sql<boolean>`(${p.afterDue}::text is null
      or (${due}, sla_clocks.id) > (${p.afterDue}::timestamptz, ${p.afterId}::bigint))`)
    .select(['sla_clocks.id', 'sla_clocks.ticket_id', 'sla_clocks.metric', 'sla_clocks.state', 'sla_clocks.outcome'])
    .select(['sla_clocks.started_at', 'sla_clocks.due_at', 'sla_clocks.breached_at', 'sla_clocks.ended_at'])
    .select([
      'sla_clocks.pause_reason',
      'sla_clocks.calendar_id',
      'sla_clocks.target_minutes',
      'sla_clocks.counted_ms',
      'sla_clocks.runs_since'
    ])
    .select(['sla_clocks.policy_id', 'sla_policies.name as policy_name'])
    .select(['tickets.ticket_number', 'tickets.subject', 'tickets.status', 'tickets.priority'])
    .select(['departments.deptid', 'departments.name as department_name'])
    .orderBy(due)
    .orderBy('sla_clocks.id')
    .limit(p.limit)
)

function cursorOf({ due_at, id }: { due_at: Date | null; id: number }): string {
  return Buffer.from(JSON.stringify([due_at?.toISOString() ?? 'infinity', id])).toString('base64url')
}

function placeOf(cursor: string): { due: string; id: number } {
  const [due, id] = partsOf(cursor)
  const isDue =
    due === 'infinity' || (typeof due === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(due) && isInstant(due))
  if (!isDue || !Number.isInteger(id) || Number(id) < 1 || Number(id) > maxId) {
    throw InvalidFields({ message: 'cursor is not one of this list: take it from the page before', errors: ['cursor'] })
  }
  return { due: due as string, id: id as number }
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
