import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { judge } from '../conditions/judge-in-memory.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { Count } from '../ticket/schemas.ts'
import type { RuleDefinition, Timer } from './rule-types.ts'
import { basesOf, type Due, duesOf } from './timers.ts'

export const ExistingCountChanged = failure(
  409,
  'existing_count_changed',
  'The number of tickets for which the time is over already is another one',
  Type.Object({ already_due: Count })
)

/** Whether a rule also takes the tickets for which its time is over already, and how many the caller knows of. */
export interface ExistingTickets {
  include_existing?: 0 | 1
  expected_count?: number
}

type TimedRule = Pick<RuleDefinition, 'trigger' | 'conditions'> & { id: number }

const batch = 2_000
const mostSamples = 20

/**
 * The tickets that fit a rule and for which the time of its timer is over without it having run then: how many, and the first of them; none for a
 * rule on events. Throws the reason of `signal` once that is aborted.
 */
export async function existingTickets(
  db: Db,
  rule: TimedRule,
  now: Date,
  signal?: AbortSignal
): Promise<{ count: number; sample: Due[] }> {
  const { timer } = rule.trigger
  let [count, after] = [0, 0]
  const sample: Due[] = []
  while (timer) {
    signal?.throwIfAborted()
    const ids = (await ticketsAfter(db, { after, limit: batch })).map(({ id }) => id)
    const due = await existingAmong(db, rule, timer, ids, now)
    count += due.length
    sample.push(...due.slice(0, mostSamples - sample.length))
    if (ids.length < batch) break
    after = ids.at(-1)!
  }
  return { count, sample }
}

/** Those of these tickets, with the instants at which they fell due. */
export async function existingAmong(
  db: Db,
  { id, conditions }: TimedRule,
  timer: Timer,
  ids: readonly number[],
  now: Date
): Promise<Due[]> {
  const facts = await ticketFacts(db, ids)
  const fitting = ids.filter(ticket => judge(conditions, facts.get(ticket) ?? {}, now).fits)
  if (fitting.length === 0) return []
  const dues = (await duesOf(db, timer, await basesOf(db, fitting, [timer]))).filter(({ due_at }) => due_at <= now)
  const done = dues.length === 0 ? [] : await runsAt(db, { rule: id, dues: JSON.stringify(dues) })
  const without = new Set(done.map(({ ticket_id }) => ticket_id))
  return dues
    .filter(({ ticket_id }) => !without.has(ticket_id))
    .toSorted((one, other) => one.ticket_id - other.ticket_id)
}

/** R10: whether they are taken. Throws `InvalidFields` where no timer begins. */
export function takesExisting(
  { trigger }: Pick<TimedRule, 'trigger'>,
  { include_existing }: ExistingTickets,
  { begins }: { begins: boolean }
): boolean {
  if (include_existing !== 1) return false
  if (begins && trigger.timer) return true
  const message = 'include_existing is for a rule with a timer that is switched on by this'
  throw InvalidFields({ message, errors: ['include_existing'] })
}

/** They are taken only by who knows how many there are: counted before other rules wait for the write. Throws `ExistingCountChanged`. */
export async function requireExpectedCount(
  db: Db,
  rule: TimedRule,
  { include_existing, expected_count }: ExistingTickets,
  now: Date
): Promise<void> {
  if (include_existing !== 1 || !rule.trigger.timer) return
  const { count } = await existingTickets(db, rule, now)
  if (count === expected_count) return
  throw ExistingCountChanged({
    message: `The time is over already for ${count} tickets`,
    errors: ['expected_count'],
    data: { already_due: count }
  })
}

/** Tickets that fell due as they are shown, in the same order. */
export async function namedTickets(db: Db, dues: readonly Due[]) {
  const rows = new Map((await ticketsById(db, { ids: dues.map(due => due.ticket_id) })).map(row => [row.id, row]))
  return dues.flatMap(({ ticket_id, due_at }) => {
    const ticket = rows.get(ticket_id)
    return ticket ? [{ ...ticket, due_at: due_at.toISOString() }] : []
  })
}

const ticketsById = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'ticket_number', 'subject'])
)

const ticketsAfter = prepared((db, p: { after: number; limit: number }) =>
  db
    .selectFrom('tickets')
    .where('id', '>', p.after)
    .where('trashed_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .select('id')
    .orderBy('id')
    .limit(p.limit)
)

const runsAt = prepared((db, p: { rule: number; dues: string }) =>
  db
    .selectFrom(sql<Due>`json_to_recordset(${p.dues}::json)`.as<'due'>(sql`due(ticket_id bigint, due_at timestamptz)`))
    .innerJoin('rule_runs', join =>
      join.onRef('rule_runs.ticket_id', '=', 'due.ticket_id').onRef('rule_runs.due_at', '=', 'due.due_at')
    )
    .where('rule_runs.rule_id', '=', p.rule)
    // What was only watched, or did not fit, was not done.
    .where('rule_runs.outcome', 'not in', [sql.lit('watched' as const), sql.lit('no_match' as const)])
    .select('due.ticket_id')
    .unionAll(
      db
        .selectFrom(
          sql<Due>`json_to_recordset(${p.dues}::json)`.as<'due'>(sql`due(ticket_id bigint, due_at timestamptz)`)
        )
        .innerJoin('rule_timers_fired as fired', join =>
          join.onRef('fired.ticket_id', '=', 'due.ticket_id').onRef('fired.due_at', '=', 'due.due_at')
        )
        .where('fired.rule_id', '=', p.rule)
        .select('due.ticket_id')
    )
)
