import { randomInt } from 'node:crypto'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'

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

const insert = prepared((db, p: { provider: number; reference: string; code: string; reason: string; now: Date }) =>
  db.insertInto('sso_refusals').values({
    provider_id: p.provider,
    reference: p.reference,
    code: p.code,
    reason: p.reason,
    created_at: p.now
  })
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
