import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf, withoutSession } from '../../../core/sessions/page-sessions.ts'
import { endSession, endSessionOfToken } from '../../../core/sessions/sessions.ts'

/** Ends the session of the bearer token, if there is one (contract: POST /api/auth/logout; decision 19). */
export const logOut = endpoint({
  path: '/api/auth/logout',
  summary: 'Log out',
  access: 'optional',
  signedInOnly: true,
  about: 'caller',
  errors: [CrossOriginPage],
  async handle({ session, services, caller }) {
    const page = pageSessionOf(services, caller)
    if (page?.refreshToken) await endSessionOfToken(services, page.refreshToken)
    if (session) await endSession(services.db, session.id, services.realClock.now())
    return { message: session ? `Goodbye, ${session.actor.firstName}!` : 'Goodbye!', ...withoutSession(page) }
  }
})
