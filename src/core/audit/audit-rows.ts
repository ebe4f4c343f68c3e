import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Keys } from '../keys.ts'
import { actorDigests, auditHashes, changeDigests, type HashedRow, redactionSeals } from './audit-chain.ts'

/** A row as it is stored, with its json columns as text. */
export type StoredRow = HashedRow & { hash: string; redaction_seal: string | null }

const batchSize = 1000

/** The rows that fit, from the first on. */
export async function* auditRowsWhere(db: Db, fitting: RawBuilder<boolean>): AsyncGenerator<StoredRow> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredRow>`
      select id, action, actor_type, actor_id, actor_name, target_type, target_id, before::text as before,
        after::text as after, ip_address, request_id, created_at, previous_hash, hash, actor_digest, change_digest,
        redaction_seal
      from audit_log where id > ${after} and (${fitting}) order by id limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}

/** Whether the row is as it was written, or as it was left when a person was taken out of it. */
export function isWhole(keys: Keys, row: StoredRow): boolean {
  const fitsHash = () => auditHashes(keys, row).includes(row.hash)
  if (row.redaction_seal !== null) {
    const isSealed = redactionSeals(keys, row).includes(row.redaction_seal)
    return isSealed && (row.actor_digest === null || fitsHash())
  }
  if (row.actor_digest === null) return fitsHash()
  const fitsDigests =
    actorDigests(keys, row).includes(row.actor_digest) && changeDigests(keys, row).includes(row.change_digest ?? '')
  return fitsDigests && fitsHash()
}
