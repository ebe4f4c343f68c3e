import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { activeSessions } from '../../../core/sessions/own-sessions.ts'
import { waysIn } from '../../../core/tables/sessions.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { coarseNetworkOf } from '../../../lib/network.ts'
import { pageOf } from '../../../lib/page.ts'
import { timestamp } from '../../../lib/time.ts'

const limits = { fallback: 100, max: 100 }

/** Lists the caller's sessions, last used first. */
export const listSessions = endpoint({
  path: '/api/account/sessions',
  summary: 'List your sessions',
  access: 'user',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({
    ...pagedFields,
    sessions: Type.Array(
      Type.Object({
        id: Id(),
        created_at: Timestamp(),
        last_used_at: Timestamp(),
        user_agent: Nullable(OutputText('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')),
        ip_address: Nullable(OutputText('192.0.2.7')),
        // What the pages show: it says where a device is, and no more.
        network: Nullable(OutputText('192.0.2.0/24')),
        signed_in_by: OneOf(waysIn),
        current: Flag()
      })
    )
  }),
  async handle({ body, actor, session: current, services: { db, realClock } }) {
    const page = pageOf(body, limits)
    const { sessions, total } = await activeSessions(db, actor, realClock.now(), page)
    return {
      message: 'Your sessions',
      data: {
        ...paged(sessions, total, page),
        sessions: sessions.map(session => ({
          ...session,
          network: session.ip_address && coarseNetworkOf(session.ip_address),
          created_at: timestamp(session.created_at),
          last_used_at: timestamp(session.last_used_at),
          current: bit(session.id === current.id)
        }))
      }
    }
  }
})
