import { afterCommit } from '../../platform/db/outer-transaction.ts'
import type { NamedActor, SystemActor } from '../actor.ts'
import { type AuditActor, auditActorOf, type Origin } from '../audit/audit-actor.ts'
import { type Db, transaction } from '../db.ts'
import { insertEvents, type NewEvent, type NewEventWithActor } from '../events/insert-events.ts'
import type { Services } from '../services.ts'
import type { EventCause } from '../tables/events.ts'

export type ActServices = Pick<Services, 'db' | 'clock'>

/** The actor and their request; or the system; or an actor as the audit log has recorded them. */
export type By = { actor: NamedActor; caller: Origin } | SystemActor | AuditActor

/** A running write: its transaction, its events, and its work before and after the commit. */
export interface Act {
  /** The transaction. */
  db: Db
  /** The one timestamp of the write, taken at the first access: read it after waiting for locks. */
  readonly now: Date
  /** The actor, as the event log names them. */
  by: AuditActor
  /** What makes the system act; every event carries it. */
  cause?: EventCause | undefined
  /** Records an event. The events are written before the commit, in this order. `by`: the actor, if only the work determines them. */
  happened(event: NewEvent, by?: AuditActor): void
  /** Writes the events that are recorded so far: before a statement that writes its own. */
  writeEvents(): Promise<void>
  /** Runs something right before the commit, when nothing else can fail any more. */
  beforeCommit(effect: () => Promise<unknown>): void
  /** Runs something after the commit. */
  afterCommit(effect: (db: Db) => Promise<unknown>): void
}

/**
 * The form of every write: runs `work` in one transaction, writes its events in the same transaction, and runs the work that waits for the
 * commit. After a deadlock or serialization failure it runs again from the beginning, without the recorded events; a throw rolls everything back.
 * `cause`: what makes the system act.
 */
export async function act<R>(
  services: ActServices,
  by: By,
  work: (act: Act) => Promise<R>,
  cause?: EventCause
): Promise<R> {
  const { clock } = services
  const actsAs = 'actor' in by ? auditActorOf(by.actor, by.caller) : 'population' in by ? auditActorOf(by) : by
  const { result, effects } = await transaction(services.db, async db => {
    const events: NewEventWithActor[] = []
    const last: (() => Promise<unknown>)[] = []
    const effects: ((db: Db) => Promise<unknown>)[] = []
    let now: Date | undefined
    const act: Act = {
      db,
      by: actsAs,
      cause,
      get now() {
        now ??= clock.now()
        return now
      },
      happened: (event, by = actsAs) => void events.push({ ...(cause && { cause }), ...event, by }),
      writeEvents: () => insertEvents(db, events.splice(0), act.now),
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
