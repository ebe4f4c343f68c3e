import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { AnyDb } from './any-db.ts'
import type { InstallationTables } from './installation-table.ts'

type Db = Kysely<InstallationTables>

/** The installation that a database belongs to. All ids are UUIDs. */
export interface InstallationId {
  id: string
  /** Its ids before it was moved, and those it has adopted: files with these ids are its own as well. */
  formerIds: string[]
  /**
   * The ids of the installation it was copied from. Files with these ids belong to the original, unless an operator says that it no longer
   * exists.
   */
  copiedFrom: string[]
}

/**
 * The id of the installation whose database is at `location`. A database found at another location is a copy, or was moved without our tools: it
 * gets a new id, so that it leaves the original's files alone. Concurrent processes agree on one id.
 */
export async function identify(db: Db, location: string): Promise<InstallationId> {
  while (true) {
    const known = await storedInstallationId(db)
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

/** The stored id, without checking the location. */
export async function storedInstallationId(db: Db): Promise<InstallationId & { location: string | null }> {
  const row = await db
    .selectFrom('installation')
    .select(['id', 'location', 'former_ids as formerIds', 'copied_from as copiedFrom'])
    .executeTakeFirstOrThrow()
  return row
}

/**
 * Sets the id of an installation whose rows were just imported. If they were `moved`, the original's files are its own from now on; else the
 * original keeps them.
 */
export async function identifyImported(
  db: Db,
  { id, location, isMoved }: { id: string; location: string; isMoved: boolean }
): Promise<void> {
  const before = await storedInstallationId(db)
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

/** Makes the files of the copied original, and those with these ids, its own. */
export async function adoptInstallationIds(db: Db, ids: string[]): Promise<void> {
  const { id, formerIds, copiedFrom } = await storedInstallationId(db)
  const former = new Set([...formerIds, ...copiedFrom, ...ids])
  former.delete(id)
  await db
    .updateTable('installation')
    .set({ former_ids: [...former], copied_from: [] })
    .execute()
}

/** The id of a database at this location: always the same, so that an interrupted run can be repeated. */
export function derivedId(origin: string, location: string): string {
  const hex = createHash('sha256').update(`${origin} ${location}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * The location of a database: its cluster, and its number in that. A promoted standby has the same location; a restored dump, or a copied folder
 * of the embedded server (`folder`), has another one.
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
