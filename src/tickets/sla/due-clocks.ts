import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type DueWork, dueBatch } from '../../core/clock/due-work.ts'
import { type Db, prepared } from '../../core/db.ts'
import { catchUpWithLog, type LogReader } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'

type ClockServices = Pick<Services, 'db' | 'clock' | 'events'>

/** S16: what was not ended when it was due is late since then, even if nobody looked at that time. Ended at the instant itself, it is in time (S2). */
export function slaBreaches(services: ClockServices, reader: LogReader): DueWork {
  const { db } = services
  return {
    name: 'sla-breaches',
    async nextDueAt() {
      const [next] = await nextToBreach(db, {})
      return next ? new Date(next.due_at!.getTime() + 1) : null
    },
    async runDue(now) {
      await readLog(services, reader)
      return await act(services, system, async act => {
        const late = await breach(act.db, { now, limit: dueBatch })
        for (const { ticket_id: ticket, metric, due_at } of late.toSorted(byInstant(({ due_at }) => due_at))) {
          const at = due_at!.toISOString()
          act.happened({ kind: 'sla.breached', ticket, after: { metric, due_at: at, breached_at: at } })
        }
        return late.length
      })
    }
  }
}

/** S17: staff are warned once, unless it is late by now. */
export function slaWarnings(services: ClockServices, reader: LogReader): DueWork {
  const { db } = services
  return {
    name: 'sla-warnings',
    async nextDueAt() {
      const [next] = await nextToWarn(db, {})
      return next?.warn_at ?? null
    },
    async runDue(now) {
      await readLog(services, reader)
      return await act(services, system, async act => {
        const warned = await warn(act.db, { now, limit: dueBatch })
        for (const { ticket_id: ticket, metric, due_at } of warned.toSorted(byInstant(({ warn_at }) => warn_at))) {
          act.happened({ kind: 'sla.warned', ticket, after: { metric, due_at: due_at?.toISOString() ?? null } })
        }
        return warned.length
      })
    }
  }
}

/** An answer that the log has and the clocks have not is in time. */
async function readLog(services: ClockServices, reader: LogReader): Promise<void> {
  await sequence(services)
  await catchUpWithLog(services.db, reader)
}

function byInstant<T>(instantOf: (each: T) => Date | null): (one: T, other: T) => number {
  return (one, other) => instantOf(one)!.getTime() - instantOf(other)!.getTime()
}

const nextToBreach = prepared(db => toBreach(db).select('due_at').orderBy('due_at').limit(sql.lit(1)))

const nextToWarn = prepared(db => toWarn(db).select('warn_at').orderBy('warn_at').limit(sql.lit(1)))

const breach = prepared((db, p: { now: Date; limit: number }) =>
  db
    .with('late', db =>
      toBreach(db).where('due_at', '<', p.now).select('id').orderBy('due_at').limit(p.limit).forUpdate().skipLocked()
    )
    .updateTable('sla_clocks')
    .from('late')
    .whereRef('sla_clocks.id', '=', 'late.id')
    .set(eb => ({ breached_at: eb.ref('due_at') }))
    .returning(['ticket_id', 'metric', 'due_at'])
)

const warn = prepared((db, p: { now: Date; limit: number }) =>
  db
    .with('soon', db =>
      toWarn(db)
        .where('warn_at', '<=', p.now)
        .where(({ or, eb }) => or([eb('due_at', 'is', null), eb('due_at', '>=', p.now)]))
        .select('id')
        .orderBy('warn_at')
        .limit(p.limit)
        .forUpdate()
        .skipLocked()
    )
    .updateTable('sla_clocks')
    .from('soon')
    .whereRef('sla_clocks.id', '=', 'soon.id')
    .set({ warned_at: p.now })
    .returning(['ticket_id', 'metric', 'due_at', 'warn_at'])
)

function toBreach(db: Pick<Db, 'selectFrom'>) {
  return running(db).where('breached_at', 'is', null).where('due_at', 'is not', null)
}

function toWarn(db: Pick<Db, 'selectFrom'>) {
  return running(db).where('breached_at', 'is', null).where('warned_at', 'is', null).where('warn_at', 'is not', null)
}

function running(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('sla_clocks')
    .where('state', '=', sql.lit('running' as const))
    .where('ended_at', 'is', null)
}
