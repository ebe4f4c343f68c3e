import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Unauthenticated } from '../../../kit/errors.ts'
import { Instant, IsoTime, Nullable } from '../../../kit/schemas.ts'
import { setAway } from '../away.ts'

/** Says until when the caller is away; null: back again. Who is away gets no tickets in turn, and colleagues see it. */
export const setAwayUntil = endpoint({
  path: '/api/account/away',
  summary: 'Say until when you are away',
  access: 'staff',
  about: 'caller',
  body: Type.Object({
    until: Type.Optional(
      Type.Unsafe<string | null>({
        ...Nullable(Instant('2026-03-20T08:00:00Z')),
        description: 'In the future; null or missing: you are back.'
      })
    )
  }),
  data: Type.Object({ away_until: Nullable(IsoTime()) }),
  errors: [Unauthenticated],
  async handle({ body, actor, caller, services }) {
    const until = await setAway(services, actor, caller, body.until ?? null)
    return { message: until ? 'You are away' : 'You are back', data: { away_until: until?.toISOString() ?? null } }
  }
})
