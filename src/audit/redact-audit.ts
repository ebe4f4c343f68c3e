import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Keys } from '../keys.ts'
import { beginning, redactionSeals } from './audit-chain.ts'
import { auditRowsWhere, isWhole, type StoredRow } from './audit-rows.ts'

/**
 * Takes a client who is erased out of the audit log: `name`, network address and request id of what they did themselves, and the texts
 * in what was done to their account. What happened, when, and by which ids stays; digests of what was there stay in the rows, and the
 * chain still holds. Answers how many rows were changed.
 */
export async function redactClient(keys: Keys, db: Db, id: number, name: string): Promise<number> {
  const isTheirs = sql<boolean>`(actor_type = 'client' and actor_id = ${id}) or (target_type = 'client' and target_id = ${id})`
  let redacted = 0
  for await (const row of auditRowsWhere(db, isTheirs)) {
    const without = redactedRow(row, id, name)
    if (without === row) continue
    // What was altered before must not pass for sound because of this.
    const seal = isWhole(keys, row) ? redactionSeals(keys, without)[0]! : beginning
    await db
      .updateTable('audit_log')
      .set({
        actor_name: without.actor_name,
        ip_address: without.ip_address,
        request_id: without.request_id,
        before: without.before,
        after: without.after,
        redaction_seal: seal
      })
      .where('id', '=', row.id)
      .execute()
    redacted += 1
  }
  return redacted
}

/** The same row where there is nothing to take out. */
function redactedRow(row: StoredRow, client: number, name: string): StoredRow {
  const acted = row.actor_type === 'client' && row.actor_id === client
  const who = acted ? { actor_name: name, ip_address: null, request_id: null } : {}
  const what = row.target_type === 'client' ? { before: withoutTexts(row.before), after: withoutTexts(row.after) } : {}
  const without = { ...row, ...who, ...what }
  const columns = ['actor_name', 'ip_address', 'request_id', 'before', 'after'] as const
  return columns.every(column => without[column] === row[column]) ? row : without
}

/** What of a change is in our own words: which fields, by which way, and how. */
const ownWords = ['fields', 'by', 'mode']

function withoutTexts(json: string | null): string | null {
  if (json === null) return null
  const kept = Object.entries(JSON.parse(json) as object).filter(
    ([name, value]) => value === null || ['number', 'boolean'].includes(typeof value) || ownWords.includes(name)
  )
  const without = JSON.stringify(Object.fromEntries(kept))
  return without === json ? json : without
}
