import type { Db } from '../db.ts'
import { adoptIds, knownId } from '../platform/db/installation-id.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import type { FileOwner, Sweep } from '../platform/files/sweep.ts'
import { knownOf } from './sweep-uploads.ts'

/** The database knows too few of the files to be theirs. */
class StrangeFiles extends Error {
  readonly sweep: Sweep
  constructor(sweep: Sweep) {
    super(`The database names none of ${sweep.unknown} of ${sweep.files} files.`)
    this.sweep = sweep
  }
}

/**
 * Makes the files of the store those of this database, for good: whatever they belonged to is gone, or was moved here by other means
 * than ours. Answers the store as their owner sees it. Throws `StrangeFiles` where most of them are unknown, unless `force` is set.
 */
export async function adoptFiles(
  db: Db,
  storeFor: (owner: FileOwner) => Promise<FileStore>,
  { force }: { force: boolean }
): Promise<FileStore> {
  const { id, formerIds, copiedFrom } = await knownId(db)
  const before = await storeFor({ id, formerIds: [...formerIds, ...copiedFrom], copiedFrom: [] })
  const looked = await before.sweep(paths => knownOf(db, paths), lookOnly)
  if (looked.unknown * 2 > looked.files && !force) throw new StrangeFiles(looked)

  const other = await before.otherOwner()
  await adoptIds(db, other ? [other] : [])
  const store = await storeFor(await knownId(db))
  await store.claim({ evenOfOthers: true })
  return store
}

const lookOnly = { olderThanMilliseconds: 0, quarantineMilliseconds: Infinity, lookOnly: true }
