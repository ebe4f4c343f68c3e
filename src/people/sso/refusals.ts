import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { whileThere } from './providers.ts'

/** Without look-alikes: people read it to an admin. */
const alphabet = '23456789ACDEFGHJKLMNPQRTUVWXYZ'

export interface SsoRefusal {
  id: number
  slug: string
  reference: string
  code: string
  reason: string
  created_at: Date
}

/** Keeps for admins why somebody was not let in; returns the reference by which the person names it. */
export async function recordRefusal(
  { db, realClock }: Pick<Services, 'db' | 'realClock'>,
  provider: number,
  { code, reason }: { code: string; reason: string }
): Promise<string> {
  const letters = Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')
  const reference = `${letters.slice(0, 3)}-${letters.slice(3)}`
  await insert(db, { provider, reference, code, reason: reason.slice(0, 500), now: realClock.now() })
  return reference
}

export async function latestRefusals(db: Db): Promise<SsoRefusal[]> {
  return await latest(db, {})
}

/** Nothing of a provider that has been deleted meanwhile. */
const insert = prepared((db, p: { provider: number; reference: string; code: string; reason: string; now: Date }) =>
  db
    .insertInto('sso_refusals')
    .columns(['provider_id', 'reference', 'code', 'reason', 'created_at'])
    .expression(
      whileThere(db, p.provider).select([
        'id',
        sql<string>`${p.reference}::text`.as('reference'),
        sql<string>`${p.code}::text`.as('code'),
        sql<string>`${p.reason}::text`.as('reason'),
        sql<Date>`${p.now}::timestamptz`.as('created_at')
      ])
    )
)

const latest = prepared(db =>
  db
    .selectFrom('sso_refusals as refusal')
    .innerJoin('sso_providers as provider', 'provider.id', 'refusal.provider_id')
    .select([
      'refusal.id',
      'provider.slug',
      'refusal.reference',
      'refusal.code',
      'refusal.reason',
      'refusal.created_at'
    ])
    .orderBy('refusal.id', 'desc')
    .limit(200)
)
