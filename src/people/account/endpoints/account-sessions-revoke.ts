import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { LastWayIn } from '../../passkeys/passkeys.ts'
import { revokeSessions, SessionNotFound } from '../revoke-sessions.ts'

/** Ends one of the caller's sessions by `id`, or with `others` all but this one; their tokens become invalid at once. With `passkeys` all passkeys are deleted too. */
export const revokeOwnSessions = endpoint({
  path: '/api/account/sessions/revoke',
  summary: 'Revoke one of your sessions, or all others',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Type.Optional(Id()), others: Type.Optional(Flag()), passkeys: Type.Optional(Flag()) }),
  data: Type.Object({ sessions_ended: Type.Integer({ examples: [1] }) }),
  errors: [SessionNotFound, LastWayIn],
  async handle({ body, session, services, caller }) {
    const ended = await revokeSessions(services, session, body, caller)
    return { message: 'Sessions ended', data: { sessions_ended: ended } }
  }
})
