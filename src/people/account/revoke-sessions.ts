import type { Session } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Services } from '../../core/services.ts'
import { endOwnSession } from '../../core/sessions/own-sessions.ts'
import { endSessionsOf } from '../../core/sessions/sessions.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields, MissingFields } from '../../kit/errors.ts'
import { deleteAllPasskeys } from '../passkeys/passkeys.ts'

/** The same error for somebody else's session, an ended one and none at all. */
export const SessionNotFound = failure(404, 'session_not_found', 'You have no such session')

/**
 * Ends one of the caller's sessions, possibly this one, or all others; returns how many. `passkeys`: deletes all of them too. Throws
 * `SessionNotFound`, `LastWayIn`, and 400 for neither or both.
 */
export async function revokeSessions(
  services: Services,
  { id: current, actor }: Session,
  { id, others, passkeys }: { id?: number; others?: 0 | 1; passkeys?: 0 | 1 },
  caller: Caller
): Promise<number> {
  if (id === undefined && others !== 1) {
    throw MissingFields({ message: 'Missing required fields: id or others', errors: ['id', 'others'] })
  }
  if (id !== undefined && others === 1) {
    throw InvalidFields({ message: 'Name one session, or all others, but not both', errors: ['id', 'others'] })
  }
  const subject = { type: actor.population, id: actor.id } as const

  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    if (passkeys === 1) await deleteAllPasskeys(services, act, actor)
    if (id === undefined) {
      const ended = await endSessionsOf(db, actor, now, { except: current, keepTokens: true })
      if (ended > 0) act.happened({ kind: 'sessions.revoked', subject, after: { sessions_ended: ended } })
      return ended
    }
    if (!(await endOwnSession(db, actor, id, now))) throw SessionNotFound()
    act.happened({ kind: 'session.revoked', subject, after: { session_id: id } })
    return 1
  })
}
