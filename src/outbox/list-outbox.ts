import type { Db } from '../db.ts'
import type { OutboxRow } from '../tables/outbox.ts'

export type ListedMessage = Omit<OutboxRow, 'sealed_content' | 'client_id'>

/** E-mails and texts of the last 30 days, newest first; without what they say, which nobody but the recipient reads. */
export async function listOutbox(
  db: Db,
  { state, limit }: { state?: OutboxRow['state']; limit: number }
): Promise<ListedMessage[]> {
  let query = db
    .selectFrom('letters')
    .select(['id', 'channel', 'kind', 'recipient', 'state', 'attempts'])
    .select(['last_answer', 'request_id', 'created_at', 'settled_at'])
    .orderBy('id', 'desc')
    .limit(limit)
  if (state) query = query.where('state', '=', state)
  return await query.execute()
}
