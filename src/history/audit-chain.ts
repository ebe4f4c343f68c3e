import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import type { AuditRow } from '../platform/db/tables-desk.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import type { Doer } from './doer.ts'
import type { Deed } from './record.ts'

/** The hash before the first row. */
export const beginning = '0'.repeat(43)

/** A row as it is hashed: its json columns as the text that is stored. */
export type HashedRow = Omit<AuditRow, 'before' | 'after' | 'hash'> & { before: string | null; after: string | null }

/**
 * Appends to the audit log. Each row's hash is keyed with the application's secret and covers the row and the hash before it;
 * the head seals the last. So a row cannot be altered, taken out or put in, nor the tail be cut, by somebody who has the
 * database but not the secret.
 */
export async function appendAudit(keys: Keys, db: Db, doer: Doer, deed: Deed, now: Date): Promise<void> {
  const head = await lockedHead(keys, db)
  const row: HashedRow = {
    id: head.last_id + 1,
    action: deed.action,
    actor_type: doer.type,
    actor_id: doer.id,
    actor_name: doer.name,
    target_type: deed.target.type,
    target_id: deed.target.id,
    before: deed.before ? JSON.stringify(deed.before) : null,
    after: deed.after ? JSON.stringify(deed.after) : null,
    ip_address: doer.ip,
    request_id: doer.requestId,
    created_at: now,
    previous_hash: head.last_hash
  }
  const [hash] = auditHashes(keys, row)
  await db
    .insertInto('audit_log')
    .values({ ...row, hash: hash! })
    .execute()
  await db
    .updateTable('audit_head')
    .set({ last_id: row.id, last_hash: hash!, seal: headSeals(keys, row.id, hash!)[0]! })
    .execute()
}

/** The hashes that fit a row, one for each application secret; the first is the one that is written. */
export function auditHashes(keys: Keys, row: HashedRow): string[] {
  const { id, action, actor_type, actor_id, actor_name, target_type, target_id } = row
  const { before, after, ip_address, request_id, created_at, previous_hash } = row
  const who = [actor_type, actor_id, actor_name, ip_address, request_id]
  const what = [action, target_type, target_id, before, after]
  return keys.digests('audit', JSON.stringify([previous_hash, id, created_at.toISOString(), who, what]))
}

/** The seals that fit a head, one for each application secret. */
export function headSeals(keys: Keys, lastId: number, lastHash: string): string[] {
  return keys.digests('audit head', `${lastId} ${lastHash}`)
}

/** The end of the chain, locked until the transaction ends: that puts the writers in line. */
async function lockedHead(keys: Keys, db: Db): Promise<{ last_id: number; last_hash: string }> {
  const read = () => db.selectFrom('audit_head').select(['last_id', 'last_hash']).forUpdate().executeTakeFirst()
  const head = await read()
  if (head) return head
  await sql`insert into audit_head (last_id, last_hash, seal)
    values (0, ${beginning}, ${headSeals(keys, 0, beginning)[0]!}) on conflict do nothing`.execute(db)
  return (await read())!
}
