import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { report, type StoreReport } from './stores.ts'

/**
 * Deletes the stored responses of webhook receivers to events about a client, since they may repeat the event. Pending deliveries are built
 * from what is then left in the database, and responses to them are not stored.
 */
export async function scrubWebhooks(db: Db, client: number): Promise<StoreReport[]> {
  // The deliveries first: storing a response locks its delivery.
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
