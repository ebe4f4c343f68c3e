import { sql } from 'kysely'
import { type DueWork, dueBatch } from '../../core/clock/due-work.ts'
import { type Db, prepared, transaction } from '../../core/db.ts'
import { catchUpWithLog, type LogReader } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { lockedById } from '../ticket/locked-ticket.ts'
import { existingAmong } from './existing-tickets.ts'
import { judgeAndRun } from './judge-and-run.ts'
import type { Rule, Timer } from './rule-types.ts'
import { rulesWithIds, ruleWithId } from './rules.ts'
import { basesOf, duesOf, setTimers } from './timers.ts'

type DueServices = Pick<Services, 'db' | 'clock' | 'config' | 'keys' | 'jobs' | 'log' | 'events'>

/** R8: what is due fires once, each ticket in a transaction of its own, if its conditions fit then; the longest due first, two at a time. */
export function dueRules(services: DueServices, reader: LogReader): DueWork {
  const { db } = services
  return {
    name: 'rule-timers',
    async nextDueAt() {
      const [next] = await nextTimer(db, {})
      return next?.due ?? null
    },
    async runDue(now) {
      // What has happened until now may have removed a timer.
      await sequence(services)
      await catchUpWithLog(db, reader)
      const tickets = await dueTickets(db, { now, limit: dueBatch })
      let fired = 0
      for (let at = 0; at < tickets.length; at += firedAtOnce) {
        const some = tickets.slice(at, at + firedAtOnce).map(({ ticket_id }) => ticket_id)
        const counts = await Promise.all(some.map(ticket => firedOrPostponed(services, ticket, now)))
        fired += counts.reduce((sum, count) => sum + count, 0)
      }
      return fired
    }
  }
}

/** R9: a timer mostly waits for the database, so that two take hardly longer than one; requests find the other connections free. */
const firedAtOnce = 2

const retryMilliseconds = 60_000

/** A ticket that cannot be worked on stops no other: its timers stay due, and are tried again after a minute. */
async function firedOrPostponed(services: DueServices, ticket: number, now: Date): Promise<number> {
  try {
    return await fireTimers(services, ticket, now)
  } catch (error) {
    services.log.warn({ err: error, ticket }, 'The timers of a ticket could not fire, and are tried again')
    await postpone(services.db, { ticket, now, retryAt: new Date(now.getTime() + retryMilliseconds) })
    return 1
  }
}

async function fireTimers(services: DueServices, ticket: number, now: Date): Promise<number> {
  return await outerTransaction(services.db, { isRepeatable: true }, async db => {
    const locked = await lockedById(db, ticket)
    const claimed = await claim(db, { ticket, now })
    if (claimed.length === 0) return 0
    const timers = new Map(claimed.map(timer => [timer.rule_id, timer]))
    // R12
    const isOpen = locked && locked.trashed_at === null && locked.merged_into_id === null
    for (const rule of isOpen ? await rulesWithIds(db, [...timers.keys()]) : []) {
      const timer = timers.get(rule.id)!
      if (!rule.is_active || rule.paused_reason !== null) continue
      const facts = (await ticketFacts(db, [ticket])).get(ticket)
      if (!facts) continue
      await judgeAndRun({
        services: { ...services, db },
        db,
        ticket,
        rule: { ...rule, rule_id: rule.id },
        facts,
        ran: new Set(),
        by: { event_id: timer.basis_event_id || null, chain_id: null, depth: 0, due_at: timer.due_at }
      })
    }
    return claimed.length
  })
}

const nextTimer = prepared(db =>
  db.selectNoFrom(
    sql<Date | null>`least(
      (select due_at from rule_timers where retry_at is null order by due_at limit 1),
      (select retry_at from rule_timers where retry_at is not null order by retry_at limit 1))`.as('due')
  )
)

const postpone = prepared((db, p: { ticket: number; now: Date; retryAt: Date }) =>
  db
    .updateTable('rule_timers')
    .where('ticket_id', '=', p.ticket)
    .where('due_at', '<=', p.now)
    .set({ retry_at: p.retryAt })
)

const dueTickets = prepared((db, p: { now: Date; limit: number }) =>
  db
    .selectFrom(db =>
      db
        .selectFrom('rule_timers')
        .where('due_at', '<=', p.now)
        .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', p.now)]))
        .select(['ticket_id', 'due_at'])
        .orderBy('due_at')
        .limit(p.limit)
        .forUpdate()
        .skipLocked()
        .as('due')
    )
    .select('ticket_id')
    .groupBy('ticket_id')
    .orderBy(({ fn }) => fn.min('due_at'))
    .orderBy('ticket_id')
)

/** The rows are gone with what the rules do: a crash fires nothing twice. */
const claim = prepared((db, p: { ticket: number; now: Date }) =>
  db
    .with('due', db =>
      db
        .selectFrom('rule_timers')
        .where('ticket_id', '=', p.ticket)
        .where('due_at', '<=', p.now)
        .select(['rule_id', 'ticket_id', 'basis_event_id'])
        .forUpdate()
        .skipLocked()
    )
    .deleteFrom('rule_timers')
    .using('due')
    .whereRef('rule_timers.rule_id', '=', 'due.rule_id')
    .whereRef('rule_timers.ticket_id', '=', 'due.ticket_id')
    .whereRef('rule_timers.basis_event_id', '=', 'due.basis_event_id')
    .returning(['rule_timers.rule_id', 'rule_timers.basis_event_id', 'rule_timers.due_at'])
)

/** R10: sets the timers of the tickets that were there when a rule was switched on, in batches. */
export function ruleFills({ db }: Pick<Services, 'db'>): DueWork {
  return {
    name: 'rule-fills',
    async nextDueAt() {
      const [next] = await nextFill(db, {})
      return next?.since ?? null
    },
    async runDue() {
      return await transaction(db, async db => {
        const [fill] = await claimFill(db, {})
        if (!fill) return 0
        const rule = await ruleWithId(db, fill.rule_id)
        const ids = (await ticketsAfter(db, { after: fill.after_id, limit: dueBatch })).map(({ id }) => id)
        if (ids.length > 0) await fillTickets(db, rule, ids, fill)
        if (ids.length < dueBatch) await endFill(db, { rule: fill.rule_id })
        else await moveFill(db, { rule: fill.rule_id, after: ids.at(-1)! })
        return 1
      })
    }
  }
}

async function fillTickets(
  db: Db,
  rule: Rule,
  ids: readonly number[],
  { since, takes_existing }: { since: Date; takes_existing: boolean }
): Promise<void> {
  const timer: Timer = rule.trigger.timer!
  const later = (await duesOf(db, timer, await basesOf(db, ids, [timer]))).filter(({ due_at }) => due_at > since)
  const dues = takes_existing ? [...later, ...(await existingAmong(db, rule, timer, ids, since))] : later
  if (dues.length > 0) await setTimers(db, { rule: rule.id, basis: 0, dues: JSON.stringify(dues) })
}

const nextFill = prepared(db => db.selectFrom('rule_fills').select('since').orderBy('since').limit(sql.lit(1)))

const claimFill = prepared(db =>
  db
    .selectFrom('rule_fills')
    .select(['rule_id', 'after_id', 'since', 'takes_existing'])
    .orderBy('since')
    .limit(sql.lit(1))
    .forUpdate()
    .skipLocked()
)

const ticketsAfter = prepared((db, p: { after: number; limit: number }) =>
  db.selectFrom('tickets').where('id', '>', p.after).select('id').orderBy('id').limit(p.limit)
)

const endFill = prepared((db, p: { rule: number }) => db.deleteFrom('rule_fills').where('rule_id', '=', p.rule))

const moveFill = prepared((db, p: { rule: number; after: number }) =>
  db.updateTable('rule_fills').where('rule_id', '=', p.rule).set({ after_id: p.after })
)
