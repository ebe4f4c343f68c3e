import type { Named, SystemActor } from '../actor.ts'
import { type AuditActor, auditActorOf, type Origin } from '../audit/audit-actor.ts'
import { type Db, transaction } from '../db.ts'
import { type ActorsEvent, type Happened, insertEvents } from '../events/insert-events.ts'
import { afterCommit } from '../platform/db/outer-transaction.ts'
import type { Services } from '../services.ts'

export type ActServices = Pick<Services, 'db' | 'clock'>

/** Who acts, and from where; the service itself; or whoever acts as the log has named them before. */
export type By = { actor: Named; caller: Origin } | SystemActor | AuditActor

/** A write on its way, and what it is to do when it ends. */
export interface Act {
  /** The transaction. */
  db: Db
  /** The one moment at which all of it happens. It is taken when it is first asked for: ask after what has to be waited for. */
  readonly now: Date
  /** Who acts, as the log names them. */
  by: AuditActor
  /** Tells what happened: it is written last, in the order in which it was told. `by`: who did it, where only the work found that out. */
  happened(event: Happened, by?: AuditActor): void
  /** Has something done as the last thing before the commit, which another throw does not undo. */
  beforeCommit(effect: () => Promise<unknown>): void
  /** Has something done once all of it is committed. */
  afterCommit(effect: (db: Db) => Promise<unknown>): void
}

/**
 * The form of every write: runs `work` in one transaction, writes what it tells of with it, and does what had to wait for the commit. Where
 * it had to give way to others it runs again from the beginning, and what it had told is forgotten; a throw undoes all of it.
 */
export async function act<R>(services: ActServices, by: By, work: (act: Act) => Promise<R>): Promise<R> {
  const { clock } = services
  const actsAs = 'actor' in by ? auditActorOf(by.actor, by.caller) : 'population' in by ? auditActorOf(by) : by
  const { result, effects } = await transaction(services.db, async db => {
    const events: ActorsEvent[] = []
    const last: (() => Promise<unknown>)[] = []
    const effects: ((db: Db) => Promise<unknown>)[] = []
    let now: Date | undefined
    const act: Act = {
      db,
      by: actsAs,
      get now() {
        now ??= clock.now()
        return now
      },
      happened: (event, by = actsAs) => void events.push({ ...event, by }),
      beforeCommit: effect => void last.push(effect),
      afterCommit: effect => void effects.push(effect)
    }
    const result = await work(act)
    await insertEvents(db, events, act.now)
    for (const effect of last) await effect()
    return { result, effects }
  })
  for (const effect of effects) await afterCommit(services.db, effect)
  return result
}
