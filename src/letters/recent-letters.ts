import type { Db } from '../platform/db/open.ts'
import type { LetterRow } from '../platform/db/tables.ts'

export type ListedLetter = Omit<LetterRow, 'sealed_content' | 'client_id'>

/** Letters and texts of the last 30 days, newest first; without what they say, which nobody but the recipient reads. */
export async function recentLetters(
  db: Db,
  { state, limit }: { state?: LetterRow['state']; limit: number }
): Promise<ListedLetter[]> {
  let query = db
    .selectFrom('letters')
    .select(['id', 'channel', 'kind', 'recipient', 'state', 'attempts'])
    .select(['last_answer', 'request_id', 'created_at', 'settled_at'])
    .orderBy('id', 'desc')
    .limit(limit)
  if (state) query = query.where('state', '=', state)
  return await query.execute()
}
