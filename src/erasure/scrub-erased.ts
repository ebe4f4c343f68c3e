import { secondsAfter } from '../lib/time.ts'
import { transaction } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import { scrub } from './anonymize-rows.ts'
import { anonymized } from './erase-client.ts'

/** Longer than any request lasts. */
const lookBackSeconds = 86_400

/** Goes over the clients who were anonymized in the last day once more. Answers how many rows still told of them. */
export async function scrubErased({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const erased = await db
    .selectFrom('audit_log')
    .where('action', '=', anonymized)
    .where('created_at', '>=', secondsAfter(clock.now(), -lookBackSeconds))
    .select(({ ref }) => ref('target_id').$notNull().as('id'))
    .execute()
  let rows = 0
  for (const { id } of erased) rows += await transaction(db, db => scrub(db, id))
  return rows
}
