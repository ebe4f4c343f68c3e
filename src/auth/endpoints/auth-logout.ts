import { endpoint } from '../../endpoint.ts'
import { endSession } from '../../sessions/sessions.ts'

/** Ends the session of the bearer, if there is one, and says goodbye (contract: POST /api/auth/logout; decision 19). */
export const logOut = endpoint({
  path: '/api/auth/logout',
  summary: 'Log out',
  access: 'optional',
  async handle({ session, services }) {
    if (!session) return { message: 'Goodbye!' }
    await endSession(services.db, session.id, services.clock.now())
    return { message: `Goodbye, ${session.actor.firstName}!` }
  }
})
