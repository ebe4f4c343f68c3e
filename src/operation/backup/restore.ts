import { Readable } from 'node:stream'
import { transactionOnce } from '../../core/db.ts'
import type { JobRunner } from '../../core/jobs.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { analyze } from '../../platform/db/catalogue.ts'
import { copyRowsIn } from '../../platform/db/copy.ts'
import { openOneConnection } from '../../platform/db/one-connection.ts'
import type { DatabaseOptions } from '../../platform/db/open.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { ArchiveFault } from './archive.ts'
import type { CheckedArchive } from './check-archive.ts'
import { completeImport, type ImportedInstallation, recreateSchema, refuseUnlessEmpty } from './database-import.ts'
import { makeFilesDigest } from './files-digest.ts'
import { partsOf } from './read-archive.ts'

/** The destination of rows and files: a database that nobody uses. */
export interface Destination {
  /** The name that the operator knows the database by. */
  name: string
  connection: DatabaseOptions['connection']
  files: FileStore
  jobs: Pick<JobRunner, 'install' | 'send' | 'clear'>
  arrival: ImportedInstallation
}

export interface RestoreOptions {
  /** Runs right before the commit. */
  beforeCommit?: () => Promise<void>
  /** Called with the progress. */
  tell?: (text: string) => void
}

/**
 * Restores a checked archive into an empty installation, in one transaction: complete and verified, or not at all. Rows of an older schema are
 * migrated. Returns how many e-mails are queued. Throws `DatabaseImportFault`, `ArchiveFault`, or errors of the database or the file store.
 */
export async function restore(
  { name, connection, files, jobs, arrival }: Destination,
  archive: CheckedArchive,
  { beforeCommit, tell }: RestoreOptions = {}
): Promise<number> {
  const { path, manifest, digests } = archive
  const one = await openOneConnection<Tables>(connection)
  const stored = makeFilesDigest()
  const replaced = new Set<string>()
  let written = 0
  let isCommitting = false
  try {
    await refuseUnlessEmpty(one, one.db, name)
    await files.claim({ evenOfOthers: arrival.isMoved })
    await jobs.install()
    const emails = await transactionOnce(one.db, async db => {
      await recreateSchema(db, manifest)
      for await (const part of partsOf(path)) {
        if ('table' in part) {
          tell?.(`rows of ${part.table}`)
          const table = manifest.tables.find(({ name }) => name === part.table)
          if (!table)
            throw new ArchiveFault(`${path} is damaged: it has rows of ${part.table}, which it does not name.`)
          await copyRowsIn(one, table, part.content)
        } else {
          tell?.(`files: ${written + 1} of ${digests.files.count}`)
          const file = await files.restore(part.file, Readable.from(part.content, { objectMode: false }))
          written++
          if (!file.isNew) replaced.add(part.file)
          stored.add({ path: part.file, sizeBytes: file.fileSizeBytes, sha256: file.sha256 })
        }
      }
      tell?.('verifying')
      if (stored.tally().sha256 !== digests.files.sha256)
        throw new ArchiveFault(`${path} has changed while it was read.`)
      const emails = await completeImport(one, db, jobs, manifest, digests.tables, arrival)
      await beforeCommit?.()
      isCommitting = true
      return emails
    })
    await analyze(one.db)
    return emails
  } catch (error) {
    // If the connection breaks during the commit, its result is unknown: the next start sweeps files without rows.
    if (!isCommitting) await discard(files, path, written, replaced)
    throw error
  } finally {
    await one.close()
  }
}

/** Removes the first files of an archive, which were written, except those that existed before. */
async function discard(files: FileStore, archive: string, count: number, before: Set<string>): Promise<void> {
  let left = count
  if (left === 0) return
  for await (const part of partsOf(archive)) {
    if (!('file' in part)) {
      for await (const _rows of part.content);
      continue
    }
    if (!before.has(part.file)) await files.discard([{ path: part.file }])
    if (--left === 0) return
  }
}
