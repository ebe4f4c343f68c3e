import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Keys } from '../keys.ts'
import { beginning, redactionSeals } from './audit-chain.ts'
import { auditRowsWhere, isWhole, type StoredRow } from './audit-rows.ts'

/**
 * Redacts an erased client in the audit log: in rows of their own actions, `name` replaces theirs, and the IP address and request id are removed;
 * in rows about their account, the texts are removed. The actions, times and ids stay, and so do the digests, so that the chain is still valid.
 * Returns the number of changed rows.
 */
export async function redactClient(keys: Keys, db: Db, id: number, name: string): Promise<number> {
  const isTheirs = sql<boolean>`(actor_type = 'client' and actor_id = ${id}) or (target_type = 'client' and target_id = ${id})`
  let redacted = 0
  for await (const row of auditRowsWhere(db, isTheirs)) {
    const without = redactedRow(row, id, name)
    if (without === row) continue
    // A row that was altered before must not become valid by this.
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

/** The redacted row; the same object if there is nothing to redact. */
function redactedRow(row: StoredRow, client: number, name: string): StoredRow {
  const acted = row.actor_type === 'client' && row.actor_id === client
  const who = acted ? { actor_name: name, ip_address: null, request_id: null } : {}
  const what = row.target_type === 'client' ? { before: withoutTexts(row.before), after: withoutTexts(row.after) } : {}
  const without = { ...row, ...who, ...what }
  const columns = ['actor_name', 'ip_address', 'request_id', 'before', 'after'] as const
  return columns.every(column => without[column] === row[column]) ? row : without
}

/** Facts of a change with texts of ours, which name no person. */
const ownWords = ['fields', 'by', 'mode']

function withoutTexts(json: string | null): string | null {
  if (json === null) return null
  const kept = Object.entries(JSON.parse(json) as object).filter(
    ([name, value]) => value === null || ['number', 'boolean'].includes(typeof value) || ownWords.includes(name)
  )
  const without = JSON.stringify(Object.fromEntries(kept))
  return without === json ? json : without
}
