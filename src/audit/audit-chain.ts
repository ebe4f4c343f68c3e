import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { AuditedEvent } from '../events/sequencer.ts'
import type { Keys } from '../keys.ts'
import type { AuditRow } from '../tables/audit.ts'

/** The hash before the first row. */
export const beginning = '0'.repeat(43)

/** A row as it is hashed: its json columns as the text that is stored. */
export type HashedRow = Omit<AuditRow, 'before' | 'after' | 'hash' | 'redaction_seal'> & {
  before: string | null
  after: string | null
}

/**
 * Appends events to the audit log. Each row's hash is keyed with the application's secret and covers the row and the hash before it;
 * the head seals the last. So a row cannot be altered, taken out or put in, nor the tail be cut, by somebody who has the
 * database but not the secret. Of what may tell of a person the hash covers a digest: it can be taken out, and the chain still holds.
 */
export async function sealEvents(keys: Keys, db: Db, events: readonly AuditedEvent[]): Promise<void> {
  const head = await lockedHead(keys, db)
  const rows: SealedRow[] = []
  for (const { kind: action, subject_type: target_type, subject_id: target_id, ...event } of events) {
    const last = rows.at(-1) ?? { id: head.last_id, hash: head.last_hash }
    const facts = { id: last.id + 1, action, target_type, target_id, ...event, previous_hash: last.hash }
    const digests = { actor_digest: actorDigests(keys, facts)[0]!, change_digest: changeDigests(keys, facts)[0]! }
    const row = { ...facts, ...digests }
    rows.push({ ...row, hash: auditHashes(keys, row)[0]! })
  }
  const last = rows.at(-1)!
  const listOf = (column: Column) => rows.map(row => row[column])
  const lists = Object.fromEntries(columns.map(column => [column, listOf(column)])) as Record<Column, unknown[]>
  await append(db, { ...lists, lastId: last.id, lastHash: last.hash, seal: headSeals(keys, last.id, last.hash)[0]! })
}

type SealedRow = HashedRow & { hash: string }

/** What is inserted, and how the list of each is sent: json as the text that was hashed, which is stored character by character. */
const types = {
  id: 'bigint',
  action: 'text',
  actor_type: 'text',
  actor_id: 'bigint',
  actor_name: 'text',
  target_type: 'text',
  target_id: 'bigint',
  before: 'json',
  after: 'json',
  ip_address: 'text',
  request_id: 'text',
  created_at: 'timestamptz',
  previous_hash: 'text',
  hash: 'text',
  actor_digest: 'text',
  change_digest: 'text'
} as const satisfies Partial<Record<keyof SealedRow, string>>
type Column = keyof typeof types
const columns = Object.keys(types) as Column[]

/** Any number of rows and the new end of the chain by one statement, compiled once. Of lists, one a column, the database reads half as long as of objects. */
const append = prepared((db, p: Record<Column, unknown[]> & { lastId: number; lastHash: string; seal: string }) =>
  db
    .with('head', db => db.updateTable('audit_head').set({ last_id: p.lastId, last_hash: p.lastHash, seal: p.seal }))
    .insertInto('audit_log')
    .columns(columns)
    .expression(sql`select * from unnest(${sql.join(columns.map(name => sql`${p[name]}::${sql.raw(types[name])}[]`))})`)
)

type ActorFacts = Pick<HashedRow, 'id' | 'actor_name' | 'ip_address' | 'request_id'>
type ChangeFacts = Pick<HashedRow, 'id' | 'before' | 'after'>

/** The digests that fit who it was, one for each application secret, as all below. With the id: one name has another in each row. */
export function actorDigests(keys: Keys, { id, actor_name, ip_address, request_id }: ActorFacts): string[] {
  return keys.digests('audit actor', JSON.stringify([id, actor_name, ip_address, request_id]))
}

/** The digests that fit what was before and after. */
export function changeDigests(keys: Keys, { id, before, after }: ChangeFacts): string[] {
  return keys.digests('audit change', JSON.stringify([id, before, after]))
}

/** The hashes that fit a row; the first is the one that is written. Older rows have no digests: their hash covers it all as it was. */
export function auditHashes(keys: Keys, row: HashedRow): string[] {
  const { id, action, actor_type, actor_id, target_type, target_id, created_at, previous_hash } = row
  const isDigested = row.actor_digest !== null
  const who = isDigested ? [row.actor_digest] : [row.actor_name, row.ip_address, row.request_id]
  const what = isDigested ? [row.change_digest] : [row.before, row.after]
  const facts = [
    [actor_type, actor_id, ...who],
    [action, target_type, target_id, ...what]
  ]
  return keys.digests('audit', JSON.stringify([previous_hash, id, created_at.toISOString(), ...facts]))
}

/** The seals that fit a row as it is after something was taken out of it. They cover all of it, since an older hash no longer can. */
export function redactionSeals(keys: Keys, { hash, ...row }: HashedRow & { hash: string }): string[] {
  const { id, action, actor_type, actor_id, actor_name, target_type, target_id } = row
  const { before, after, ip_address, request_id, created_at, previous_hash, actor_digest, change_digest } = row
  const who = [actor_type, actor_id, actor_name, ip_address, request_id, actor_digest]
  const what = [action, target_type, target_id, before, after, change_digest]
  const links = [hash, previous_hash, id, created_at.toISOString()]
  return keys.digests('audit redaction', JSON.stringify([links, who, what]))
}

/** The seals that fit a head, one for each application secret. */
export function headSeals(keys: Keys, lastId: number, lastHash: string): string[] {
  return keys.digests('audit head', `${lastId} ${lastHash}`)
}

const readHead = prepared(db => db.selectFrom('audit_head').select(['last_id', 'last_hash']).forUpdate())

/** The end of the chain, locked until the transaction ends. Processes of the version before append under the same lock. */
async function lockedHead(keys: Keys, db: Db): Promise<{ last_id: number; last_hash: string }> {
  const [head] = await readHead(db, {})
  if (head) return head
  await sql`insert into audit_head (last_id, last_hash, seal)
    values (0, ${beginning}, ${headSeals(keys, 0, beginning)[0]!}) on conflict do nothing`.execute(db)
  const [made] = await readHead(db, {})
  return made!
}
