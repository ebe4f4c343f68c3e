import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { InstallationTables } from './installation-table.ts'
import type { AnyDb } from './open.ts'

type Db = Kysely<InstallationTables>

/** Which installation a database belongs to. All ids are UUIDs. */
export interface InstallationId {
  id: string
  /** What it was called before it was moved, or what it has adopted: files under these ids are its own as well. */
  formerIds: string[]
  /** What it was copied from. Files under these ids belong to the original, unless somebody says that there is none any more. */
  copiedFrom: string[]
}

/**
 * The id of the installation whose database lies at `location`. A database that is found elsewhere than before is a copy, or was
 * moved by other means than ours: it gets an id of its own, so that it leaves the files of the original alone. Any number of
 * processes at once agree on one id.
 */
export async function identify(db: Db, location: string): Promise<InstallationId> {
  while (true) {
    const known = await knownId(db)
    if (known.location === location) return known
    const copiedFrom = known.location === null ? [] : [known.id, ...known.formerIds, ...known.copiedFrom]
    await db
      .updateTable('installation')
      .set({ id: derivedId(known.id, location), location, former_ids: [], copied_from: copiedFrom })
      .where('id', '=', known.id)
      .where('location', 'is not distinct from', known.location)
      .execute()
  }
}

/** The id as it stands, without looking where the database lies. */
export async function knownId(db: Db): Promise<InstallationId & { location: string | null }> {
  const row = await db
    .selectFrom('installation')
    .select(['id', 'location', 'former_ids as formerIds', 'copied_from as copiedFrom'])
    .executeTakeFirstOrThrow()
  return row
}

/**
 * Names the installation whose rows have just been brought here. Where they are `moved`, the files of the original are its own from
 * now on; else the original goes on, and its files are left alone.
 */
export async function nameArrived(
  db: Db,
  { id, location, isMoved }: { id: string; location: string; isMoved: boolean }
): Promise<void> {
  const before = await knownId(db)
  const others = [before.id, ...before.formerIds].filter(other => other !== id)
  await db
    .updateTable('installation')
    .set({
      id,
      location,
      former_ids: isMoved ? others : [],
      copied_from: isMoved ? before.copiedFrom : [...others, ...before.copiedFrom]
    })
    .execute()
}

/** From now on the files of what this database was copied from, and those under these ids, are its own. */
export async function adoptIds(db: Db, ids: string[]): Promise<void> {
  const { id, formerIds, copiedFrom } = await knownId(db)
  const former = new Set([...formerIds, ...copiedFrom, ...ids])
  former.delete(id)
  await db
    .updateTable('installation')
    .set({ former_ids: [...former], copied_from: [] })
    .execute()
}

/** The id that a database gets at this location: always the same, so that what was interrupted can be done again. */
export function derivedId(origin: string, location: string): string {
  const hex = createHash('sha256').update(`${origin} ${location}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Where a database lies: in which cluster, and in that under which number. A standby that takes over is the same place; a dump that
 * is read in elsewhere, or a folder of the embedded server (`folder`) that was copied, is another one.
 */
export async function locationOf(db: AnyDb, folder: string | undefined): Promise<string> {
  const { rows } = await sql<{ number: string; mayAsk: boolean }>`
    select oid::text as number, has_function_privilege('pg_control_system()', 'execute') as "mayAsk"
    from pg_database where datname = current_database()`.execute(db)
  const { number, mayAsk } = rows[0]!
  const cluster = mayAsk ? await systemIdentifier(db) : 'cluster'
  const inode = folder ? `/${(await stat(folder, { bigint: true })).ino}` : ''
  return `${cluster}/${number}${inode}`
}

async function systemIdentifier(db: AnyDb): Promise<string> {
  const { rows } = await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`.execute(db)
  return rows[0]!.id
}
