import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { AuditedEvent } from '../events/sequencer.ts'
import type { Keys } from '../keys.ts'
import type { AuditRow } from '../tables/audit.ts'

/** The hash before the first row. */
export const beginning = '0'.repeat(43)

/** The hash before the first row that follows a log whose head was removed: no such row verifies. */
const lost = '-'.repeat(43)

/** A row as it is hashed, with its JSON columns as the stored text. */
export type HashedRow = Omit<AuditRow, 'before' | 'after' | 'hash' | 'redaction_seal'> & {
  before: string | null
  after: string | null
}

/**
 * Appends events to the audit log. Each row's hash is keyed with the application's secret and covers the row and the previous hash; the head
 * seals the last one. So somebody with access to the database, but not to the secret, cannot alter, remove or insert rows, or cut off the end.
 * An event that such a person inserts into the event log is appended like any other: the chain proves what was appended, not who wrote it.
 * Of personal data the hash covers a digest: the data can be redacted, and the chain is still valid.
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

/** The inserted columns, and the type in which each is sent: JSON is sent as the text that was hashed, and stored unchanged. */
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

/** Appends any number of rows and moves the head in one prepared statement. The database parses one list for each column twice as fast as objects. */
const append = prepared((db, p: Record<Column, unknown[]> & { lastId: number; lastHash: string; seal: string }) =>
  db
    .with('head', db => db.updateTable('audit_head').set({ last_id: p.lastId, last_hash: p.lastHash, seal: p.seal }))
    .insertInto('audit_log')
    .columns(columns)
    .expression(sql`select * from unnest(${sql.join(columns.map(name => sql`${p[name]}::${sql.raw(types[name])}[]`))})`)
)

type ActorFacts = Pick<HashedRow, 'id' | 'actor_name' | 'ip_address' | 'request_id'>
type ChangeFacts = Pick<HashedRow, 'id' | 'before' | 'after'>

/** The valid digests of the actor, one for each application secret, as in all functions below. They include the id, so that the same name has another digest in each row. */
export function actorDigests(keys: Keys, { id, actor_name, ip_address, request_id }: ActorFacts): string[] {
  return keys.digests('audit actor', JSON.stringify([id, actor_name, ip_address, request_id]))
}

/** The valid digests of the change. */
export function changeDigests(keys: Keys, { id, before, after }: ChangeFacts): string[] {
  return keys.digests('audit change', JSON.stringify([id, before, after]))
}

/** The valid hashes of a row; the first is the one to write. The hash of older rows, which have no digests, covers the data themselves. */
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

/** The valid seals of a redacted row. They cover the whole row, because the hash of an older row no longer matches it. */
export function redactionSeals(keys: Keys, { hash, ...row }: HashedRow & { hash: string }): string[] {
  const { id, action, actor_type, actor_id, actor_name, target_type, target_id } = row
  const { before, after, ip_address, request_id, created_at, previous_hash, actor_digest, change_digest } = row
  const who = [actor_type, actor_id, actor_name, ip_address, request_id, actor_digest]
  const what = [action, target_type, target_id, before, after, change_digest]
  const links = [hash, previous_hash, id, created_at.toISOString()]
  return keys.digests('audit redaction', JSON.stringify([links, who, what]))
}

/** The valid seals of a head. */
export function headSeals(keys: Keys, lastId: number, lastHash: string): string[] {
  return keys.digests('audit head', `${lastId} ${lastHash}`)
}

const readHead = prepared(db => db.selectFrom('audit_head').select(['last_id', 'last_hash']).forUpdate())

/**
 * The head of the chain, locked until the transaction ends. A head that was removed is replaced, because the desk has to go on; but what is
 * appended then follows nothing, so that every later verification finds it.
 */
async function lockedHead(keys: Keys, db: Db): Promise<{ last_id: number; last_hash: string }> {
  const [head] = await readHead(db, {})
  if (head) return head
  const last = await db.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  await insertHead(keys, db, { last_id: last?.id ?? 0, last_hash: lost })
  const [made] = await readHead(db, {})
  return made!
}

/** Begins the audit log of a desk on which nothing has happened yet. Of an older desk, a missing head is a fault that stays one. */
export async function beginAuditLog(keys: Keys, db: Db): Promise<void> {
  const [head] = await db.selectFrom('audit_head').select('last_id').execute()
  const { last_place } = await db.selectFrom('event_sequencer').select('last_place').executeTakeFirstOrThrow()
  if (!head && last_place === 0) await insertHead(keys, db, { last_id: 0, last_hash: beginning })
}

async function insertHead(keys: Keys, db: Db, end: { last_id: number; last_hash: string }): Promise<void> {
  const seal = headSeals(keys, end.last_id, end.last_hash)[0]!
  await db
    .insertInto('audit_head')
    .values({ ...end, seal })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
