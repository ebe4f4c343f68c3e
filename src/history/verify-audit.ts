import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import type { Services } from '../services.ts'
import { auditHashes, beginning, type HashedRow, headSeals } from './audit-chain.ts'

/** What is wrong with the audit log, in a sentence, and at which row; or how far it holds. */
export type Verdict =
  | { isIntact: true; rows: number; head: string }
  | { isIntact: false; rowId: number; reason: string }

const batchSize = 1000

/**
 * Walks the audit log from its first row: every hash fits its row and the row before, the numbers have no gap, and the sealed
 * head is the last row. Answers the first fault. Reads one snapshot, so it can run beside writers. `expect` is the head of an
 * earlier verdict, noted elsewhere: it still has to be a row, which catches a database that was put back to an older state.
 */
export async function verifyAudit(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  { expect }: { expect?: string } = {}
): Promise<Verdict> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read')
  return await snapshot.execute(db => verdictOn(db, keys, expect))
}

/** The verdict on what one transaction sees. */
export async function verdictOn(db: Db, keys: Keys, expect?: string): Promise<Verdict> {
  let last = { id: 0, hash: beginning }
  let isMet = expect === undefined || expect === beginning
  for await (const { hash, ...row } of rowsOf(db)) {
    if (row.id !== last.id + 1) return broken(last.id + 1, 'it is missing')
    if (row.previous_hash !== last.hash) return broken(row.id, 'it does not follow the row before it')
    if (!auditHashes(keys, row).includes(hash)) return broken(row.id, 'its content has been altered')
    last = { id: row.id, hash }
    isMet ||= hash === expect
  }

  const head = await db.selectFrom('audit_head').selectAll().executeTakeFirst()
  const fault = head ? faultOfHead(keys, head, last) : last.id > 0 && 'the sealed end of the log is missing'
  if (fault) return broken(head && head.last_id > last.id ? last.id + 1 : last.id, fault)
  return isMet
    ? { isIntact: true, rows: last.id, head: last.hash }
    : broken(last.id, 'the row that was expected is not there')
}

function faultOfHead(
  keys: Keys,
  head: { last_id: number; last_hash: string; seal: string },
  last: { id: number; hash: string }
): string | undefined {
  if (!headSeals(keys, head.last_id, head.last_hash).includes(head.seal))
    return 'the sealed end of the log has been altered'
  if (head.last_id > last.id) return `it and all after it, up to row ${head.last_id}, are cut off`
  if (head.last_id < last.id || head.last_hash !== last.hash) return 'it is not the sealed end of the log'
  return undefined
}

type StoredRow = HashedRow & { hash: string }

async function* rowsOf(db: Db): AsyncGenerator<StoredRow> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredRow>`
      select id, action, actor_type, actor_id, actor_name, target_type, target_id, before::text as before,
        after::text as after, ip_address, request_id, created_at, previous_hash, hash
      from audit_log where id > ${after} order by id limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}

function broken(rowId: number, reason: string): Verdict {
  return { isIntact: false, rowId, reason }
}
