import { sql } from 'kysely'
import { Type } from 'typebox'
import { writeCalls } from '../../core/api-tokens/last-calls.ts'
import { prepared } from '../../core/db.ts'
import { type Permission, permissionSlugs } from '../../core/permissions.ts'
import type { Services } from '../../core/services.ts'
import { Flag, Id, IsoTime, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { dateOf, secondsAfter } from '../../lib/time.ts'
import { serviceAccount } from './service-accounts.ts'

/** A call of a service account, as an admin sees it. */
export const ServiceCallView = Type.Object({
  id: Id(),
  path: OutputText('/api/admin/tickets/delete'),
  status: Type.Integer({ examples: [403] }),
  is_refused: Flag(1),
  // Why it failed, as the answer said.
  reason: Nullable(OutputText('forbidden')),
  // Any of these would have done; null: it was refused for another reason, or went through.
  missing_permissions: Nullable(Type.Array(OneOf(permissionSlugs))),
  token_name: OutputText('Server 1'),
  network: OutputText('192.0.2.0/24'),
  at: IsoTime()
})

const weekSeconds = 7 * 86_400

/** The last calls of a service account, newest first, and how many there were. Throws `ServiceAccountNotFound`. */
export async function lastCallsOf(services: Pick<Services, 'db' | 'log' | 'realClock'>, id: number) {
  const { db, realClock } = services
  await serviceAccount(db, id)
  await writeCalls(services)
  const now = realClock.now()
  const since = dateOf(secondsAfter(now, -weekSeconds))
  const [calls, [counts]] = await Promise.all([listed(db, { id }), counted(db, { id, today: dateOf(now), since })])
  return {
    calls: calls.map(({ is_refused, at, ...call }) => ({
      ...call,
      is_refused: bit(is_refused),
      at: at.toISOString()
    })),
    ...counts!
  }
}

const listed = prepared((db, p: { id: number }) =>
  db
    .selectFrom('service_account_calls')
    .where('staff_id', '=', p.id)
    .select(['id', 'path', 'status', 'is_refused', 'reason', 'token_name', 'network', 'at'])
    .select(sql<Permission[] | null>`missing`.as('missing_permissions'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
)

const counted = prepared((db, p: { id: number; today: string; since: string }) =>
  db
    .selectFrom('service_account_days')
    .where('staff_id', '=', p.id)
    .where('day', '>', sql<string>`${p.since}::date`)
    .select([
      sql<number>`coalesce(sum(calls) filter (where day = ${p.today}::date), 0)::int`.as('calls_today'),
      sql<number>`coalesce(sum(refused), 0)::int`.as('refused_this_week')
    ])
)
