import { redactClient } from '../../core/audit/redact-audit.ts'
import { transaction } from '../../core/db.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { erasedName, nameOf } from '../../people/clients/erased.ts'
import { scrub } from './anonymize-rows.ts'
import { anonymized, removed } from './erase-client.ts'

/** Longer than any request lasts. */
const lookBackSeconds = 86_400

/** Anonymizes once more the clients erased in the last day. Returns how many rows still had their data. */
export async function scrubErased(services: Pick<Services, 'db' | 'clock' | 'keys' | 'events'>): Promise<number> {
  const { db, clock, keys } = services
  await sequence(services)
  const erased = await db
    .selectFrom('audit_log')
    .where('action', 'in', [anonymized, removed])
    .where('created_at', '>=', secondsAfter(clock.now(), -lookBackSeconds))
    .select(({ ref }) => ref('target_id').$notNull().as('id'))
    .execute()
  let rows = 0
  for (const { id } of erased) {
    rows += await transaction(db, async db => {
      const scrubbed = await scrub(db, id)
      return scrubbed + (await redactClient(keys, db, id, nameOf(erasedName)))
    })
  }
  return rows
}
