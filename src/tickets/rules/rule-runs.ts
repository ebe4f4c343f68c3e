import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { RunOutcome } from '../../core/tables/rules.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { maxId } from '../../kit/schemas.ts'
import type { Judgement } from '../conditions/judge-in-memory.ts'
import { textFields } from '../conditions/text-fields.ts'

/** A condition with what the ticket had, unless that is a text: runs are kept when the ticket's words are gone. */
interface LoggedCondition {
  field: string
  op: string
  actual?: unknown
  fits: boolean
}

/** What became of an action, under its name: `{ set_priority: 'done', from, to }`, `{ assign: 'skipped', why }`. */
export type LoggedAction = Record<string, unknown>

export interface RunDetail {
  conditions?: LoggedCondition[][]
  actions?: LoggedAction[]
  /** Why it was stopped: it ran in this chain already, the chain is too long, or a budget. */
  reason?: 'chain' | 'depth' | 'budget'
  /** The rule whose change set it off. */
  by_rule?: number
  /** The stopped run that staff made again by this one. */
  again_of?: number
}

export interface RuleRun {
  id: number
  rule_id: number
  version: number
  ticket_id: number | null
  mail_log_id: number | null
  event_id: number | null
  chain_id: number | null
  depth: number
  at: Date
  outcome: RunOutcome
  detail: RunDetail
  /** When it was made again, if a budget had stopped it. */
  again_at: Date | null
}

type NewRun = Omit<RuleRun, 'id' | 'again_at' | 'mail_log_id'> & {
  /** That of `newRunId`, if it was asked for. */
  id?: number
  mail_log_id?: number | null
  due_at: Date | null
  is_change: boolean
}

/** Logs a run. */
export async function logRun(db: Db, run: NewRun): Promise<void> {
  await insert(db, { id: null, mail_log_id: null, ...run, detail: JSON.stringify(run.detail) })
}

/** The id of a run that is logged when it is over, for the events of what it does. */
export async function newRunId(db: Db): Promise<number> {
  const [next] = await nextId(db, {})
  return next!.id
}

export function loggedConditions({ groups }: Pick<Judgement, 'groups'>): LoggedCondition[][] {
  return groups.map(group =>
    group.map(({ field, op, actual, fits }) => ({
      field,
      op,
      ...(isWords(field.replace(/^event\.(before|after)\./, ''), actual) ? {} : { actual }),
      fits
    }))
  )
}

/** Whether people wrote it: custom fields are texts, too. */
function isWords(field: string, actual: unknown): boolean {
  return textFields.has(field) || (/^f\d+$/.test(field) && typeof actual === 'string')
}

/** The rules that have run on this ticket in this chain (R4): also if they changed nothing, or failed. */
export async function runInChain(db: Db, ticket: number, chain: number): Promise<Set<number>> {
  return new Set((await ofChain(db, { ticket, chain })).map(({ rule_id }) => rule_id))
}

/** The run with this id. */
export async function runWithId(db: Db, id: number): Promise<RuleRun | undefined> {
  const [run] = await byId(db, { id })
  return run as RuleRun | undefined
}

/** The run by which a stopped one was made again. */
export async function runMadeAgain(db: Db, { id, rule_id, ticket_id }: RuleRun): Promise<RuleRun> {
  const [run] = await againOf(db, { id, rule: rule_id, ticket: ticket_id! })
  return run as RuleRun
}

interface Filter {
  rule_id?: number | undefined
  ticket_id?: number | undefined
}

/** The runs of a rule or of a ticket, the newest first. Throws `InvalidFields` for a cursor of another list. */
export async function listedRuns(
  db: Db,
  { rule_id: rule = null, ticket_id: ticket = null }: { [K in keyof Filter]: Filter[K] | null },
  { limit, cursor }: { limit: number; cursor?: string | undefined }
): Promise<{ runs: RuleRun[]; next_cursor: string | null }> {
  const before = cursor === undefined ? maxId : Number(cursor)
  if (!Number.isSafeInteger(before) || before < 1) {
    throw InvalidFields({ message: 'cursor is not one of this list: take it from the page before', errors: ['cursor'] })
  }
  const page = { before, limit: limit + 1 }
  const rows = await (ticket !== null
    ? ofTicket(db, { ...page, ticket, rule })
    : rule !== null
      ? ofRule(db, { ...page, rule })
      : ofAll(db, page))
  const runs = rows.slice(0, limit) as RuleRun[]
  return { runs, next_cursor: rows.length > limit ? String(runs.at(-1)!.id) : null }
}

/** How often each rule ran in the seven days before `now`, up to 10,000; the others are missing. */
export async function runsInWeek(db: Db, now: Date): Promise<Map<number, number>> {
  const since = new Date(now.getTime() - 7 * 86_400_000)
  return new Map((await countSince(db, { since })).map(({ id, runs }) => [id, runs]))
}

const mostCounted = 10_000

/** By the index of each rule from the first run of that time on. */
const countSince = prepared((db, p: { since: Date }) =>
  db
    .selectFrom('rules')
    .innerJoinLateral(
      db =>
        db
          .selectFrom(db =>
            db
              .selectFrom('rule_runs as run')
              .whereRef('run.rule_id', '=', 'rules.id')
              .where('run.id', '>=', db =>
                db.selectFrom('rule_runs').where('at', '>', p.since).select('id').orderBy('at').limit(sql.lit(1))
              )
              .where('run.outcome', 'in', [sql.lit('ran' as const), sql.lit('watched' as const)])
              .select('run.id')
              .limit(sql.lit(mostCounted))
              .as('counted')
          )
          .select(({ fn }) => fn.countAll<number>().as('runs'))
          .as('week'),
      join => join.onTrue()
    )
    .where('week.runs', '>', 0)
    .select(['rules.id', 'week.runs'])
)

const columns = [
  'id',
  'rule_id',
  'version',
  'ticket_id',
  'mail_log_id',
  'event_id',
  'chain_id',
  'depth',
  'at',
  'outcome',
  'detail',
  'again_at'
] as const

const nextRunId = sql<number>`nextval(pg_get_serial_sequence('rule_runs', 'id'))`

const nextId = prepared(db => db.selectNoFrom(nextRunId.as('id')))

type WrittenRun = Required<Omit<NewRun, 'id' | 'detail' | 'mail_log_id'>> & {
  id: number | null
  detail: string
  mail_log_id: number | null
}

const written = [
  ...(['rule_id', 'version', 'ticket_id', 'mail_log_id', 'event_id', 'chain_id', 'depth', 'at', 'outcome'] as const),
  ...(['is_change', 'detail', 'due_at'] as const)
]

const insert = prepared((db, p: WrittenRun) =>
  db
    .insertInto('rule_runs')
    .columns(['id', ...written])
    .expression(
      sql`overriding system value values (
        coalesce(${p.id}::bigint, ${nextRunId}), ${sql.join(written.map(name => p[name]))})`
    )
    .onConflict(conflict => conflict.columns(['rule_id', 'ticket_id', 'event_id']).doNothing())
)

const byId = prepared((db, p: { id: number }) => db.selectFrom('rule_runs').where('id', '=', p.id).select(columns))

const againOf = prepared((db, p: { id: number; rule: number; ticket: number }) =>
  db
    .selectFrom('rule_runs')
    .where('ticket_id', '=', p.ticket)
    .where('rule_id', '=', p.rule)
    .where('id', '>', p.id)
    .where(sql<boolean>`(detail->>'again_of')::bigint = ${p.id}::bigint`)
    .select(columns)
)

const ofChain = prepared((db, p: { ticket: number; chain: number }) =>
  db
    .selectFrom('rule_runs')
    .where('ticket_id', '=', p.ticket)
    .where('chain_id', '=', p.chain)
    .where('outcome', 'in', [sql.lit('ran' as const), sql.lit('failed' as const), sql.lit('watched' as const)])
    .select('rule_id')
    // The rule whose own act began the chain: by a timer, or as its run was made again.
    .unionAll(
      db
        .selectFrom('event_places')
        .innerJoin('events', 'events.id', 'event_places.event_id')
        .where('event_places.place', '=', p.chain)
        .where(sql<boolean>`events.cause->>'rule_id' is not null`)
        .select(sql<number>`(events.cause->>'rule_id')::bigint`.as('rule_id'))
    )
)

const ofTicket = prepared((db, p: { ticket: number; rule: number | null; before: number; limit: number }) =>
  db
    .selectFrom('rule_runs')
    .where('ticket_id', '=', p.ticket)
    .where('rule_id', '=', sql<number>`coalesce(${p.rule}::bigint, rule_id)`)
    .where('id', '<', p.before)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(p.limit)
)

const ofAll = prepared((db, p: { before: number; limit: number }) =>
  db.selectFrom('rule_runs').where('id', '<', p.before).select(columns).orderBy('id', 'desc').limit(p.limit)
)

const ofRule = prepared((db, p: { rule: number; before: number; limit: number }) =>
  db
    .selectFrom('rule_runs')
    .where('rule_id', '=', p.rule)
    .where('id', '<', p.before)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(p.limit)
)
