import type { Session } from '../actor.ts'
import { auditActorOf } from '../audit/audit-actor.ts'
import { record } from '../audit/record.ts'
import { transaction } from '../db.ts'
import type { Caller } from '../kit/caller.ts'
import { failure, InvalidFields, MissingFields } from '../kit/errors.ts'
import type { Services } from '../services.ts'
import { endOwnSession } from '../sessions/own-sessions.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

/** Somebody else's session, an ended one and none at all are the same. */
export const SessionNotFound = failure(404, 'session_not_found', 'You have no such session')

/**
 * Ends one session of the caller's own, which may be this one, or all others; answers how many. Throws `SessionNotFound`,
 * and 400 for neither and for both.
 */
export async function revokeSessions(
  services: Services,
  { id: current, actor }: Session,
  { id, others }: { id?: number; others?: 0 | 1 },
  caller: Caller
): Promise<number> {
  const { db, clock } = services
  if (id === undefined && others !== 1) {
    throw MissingFields({ message: 'Missing required fields: id or others', errors: ['id', 'others'] })
  }
  if (id !== undefined && others === 1) {
    throw InvalidFields({ message: 'Name one session, or all others, but not both', errors: ['id', 'others'] })
  }
  const target = { type: actor.population, id: actor.id } as const

  return await transaction(db, async db => {
    const now = clock.now()
    if (id === undefined) {
      const ended = await endSessionsOf(db, actor, now, { except: current })
      const after = { sessions_ended: ended }
      if (ended > 0) {
        await record(services, db, auditActorOf(actor, caller), { action: 'sessions.revoked', target, after })
      }
      return ended
    }
    if (!(await endOwnSession(db, actor, id, now))) throw SessionNotFound()
    await record(services, db, auditActorOf(actor, caller), {
      action: 'session.revoked',
      target,
      after: { session_id: id }
    })
    return 1
  })
}
