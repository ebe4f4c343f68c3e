import type { Db } from '../../core/db.ts'
import { adoptInstallationIds, storedInstallationId } from '../../platform/db/installation-id.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { FileOwner, Sweep } from '../../platform/files/sweep.ts'
import { knownPathsOf } from './sweep-uploads.ts'

/** The database knows too few of the files for them to be its own. */
class StrangeFiles extends Error {
  readonly sweep: Sweep
  constructor(sweep: Sweep) {
    super(`The database names none of ${sweep.unknown} of ${sweep.files} files.`)
    this.sweep = sweep
  }
}

/**
 * Makes this database the owner of the files in the store, permanently: the former owner is gone, or the files were moved here by other
 * tools. Returns the store for its owner. Throws `StrangeFiles` if most files are unknown, unless `force` is set.
 */
export async function adoptFiles(
  db: Db,
  storeFor: (owner: FileOwner) => Promise<FileStore>,
  { force }: { force: boolean }
): Promise<FileStore> {
  const { id, formerIds, copiedFrom } = await storedInstallationId(db)
  const before = await storeFor({ id, formerIds: [...formerIds, ...copiedFrom], copiedFrom: [] })
  const looked = await before.sweep(paths => knownPathsOf(db, paths), lookOnly)
  if (looked.unknown * 2 > looked.files && !force) throw new StrangeFiles(looked)

  const other = await before.otherOwner()
  await adoptInstallationIds(db, other ? [other] : [])
  const store = await storeFor(await storedInstallationId(db))
  await store.claim({ evenOfOthers: true })
  return store
}

const lookOnly = { olderThanMilliseconds: 0, quarantineMilliseconds: Infinity, lookOnly: true }
