import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { revokeSessions, SessionNotFound } from '../revoke-sessions.ts'

/** Ends one of the caller's sessions by `id`, or with `others` all but this one; their tokens become invalid at once. */
export const revokeOwnSessions = endpoint({
  path: '/api/account/sessions/revoke',
  summary: 'Revoke one of your sessions, or all others',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Type.Optional(Id()), others: Type.Optional(Flag()) }),
  data: Type.Object({ sessions_ended: Type.Integer({ examples: [1] }) }),
  errors: [SessionNotFound],
  async handle({ body, session, services, caller }) {
    const ended = await revokeSessions(services, session, body, caller)
    return { message: 'Sessions ended', data: { sessions_ended: ended } }
  }
})
