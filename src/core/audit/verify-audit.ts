import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { sequence } from '../events/read-events.ts'
import type { Keys } from '../keys.ts'
import type { Services } from '../services.ts'
import { beginning, headSeals } from './audit-chain.ts'
import { auditRowsWhere, isWhole } from './audit-rows.ts'

/** The first fault of the audit log, in a sentence, and its row; or the number of rows that are intact. */
export type Verdict =
  | { isIntact: true; rows: number; head: string }
  | { isIntact: false; rowId: number; reason: string }

/**
 * Verifies the audit log from its first row: every hash matches its row and the previous one (in a redacted row: the seal of the redaction), the
 * ids have no gap, and the sealed head is the last row. Returns the first fault. Reads one snapshot, so it can run beside writers. `expect` is the
 * head of an earlier verdict, stored elsewhere: it must still be in the log, which reveals a database that was restored to an older state. Does
 * not block other requests, however long the log is. When `signal` is aborted, its reason is thrown.
 */
export async function verifyAudit(
  services: Pick<Services, 'db' | 'keys' | 'events'>,
  { expect, signal }: { expect?: string; signal?: AbortSignal } = {}
): Promise<Verdict> {
  const { db, keys } = services
  await sequence(services)
  const snapshot = db.transaction().setIsolationLevel('repeatable read')
  return await snapshot.execute(db => verdictOn(db, keys, expect, signal))
}

/** After this many rows, about a millisecond of work, other requests get their turn. */
const rowsInATurn = 50

/** The verdict on the log as one transaction sees it. */
export async function verdictOn(db: Db, keys: Keys, expect?: string, signal?: AbortSignal): Promise<Verdict> {
  let last = { id: 0, hash: beginning }
  let isMet = expect === undefined || expect === beginning
  for await (const row of auditRowsWhere(db, sql<boolean>`true`)) {
    if (row.id !== last.id + 1) return broken(last.id + 1, 'it is missing')
    if (row.previous_hash !== last.hash) return broken(row.id, 'it does not follow the row before it')
    if (!isWhole(keys, row)) return broken(row.id, 'its content has been altered')
    last = { id: row.id, hash: row.hash }
    isMet ||= row.hash === expect
    if (row.id % rowsInATurn === 0) await setImmediate()
    signal?.throwIfAborted()
  }

  const head = await db.selectFrom('audit_head').select(['last_id', 'last_hash', 'seal']).executeTakeFirst()
  const fault = head ? faultOfHead(keys, head, last) : 'the sealed end of the log is missing'
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

function broken(rowId: number, reason: string): Verdict {
  return { isIntact: false, rowId, reason }
}
