import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { report, type StoreReport } from './stores.ts'

/**
 * Forgets what receivers of webhooks have answered when they were told of a client: it may repeat what they were told. What is still to be
 * sent is made of what is left in the database then, and what is answered to that is not kept either.
 */
export async function scrubWebhooks(db: Db, client: number): Promise<StoreReport[]> {
  // The deliveries first: whoever writes an answer down holds its delivery.
  const deliveries = await sql`
    update webhook_deliveries set is_scrubbed = true where client_id = ${client} and not is_scrubbed`.execute(db)
  const attempts = await sql`
    update webhook_attempts set answer = null
    where answer is not null and delivery_id in (select id from webhook_deliveries where client_id = ${client})`.execute(
    db
  )
  return [
    report('webhook_deliveries', { anonymized: Number(deliveries.numAffectedRows ?? 0) }),
    report('webhook_attempts', { anonymized: Number(attempts.numAffectedRows ?? 0) })
  ]
}
