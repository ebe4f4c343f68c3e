import type { Config } from '../../core/config.ts'
import { openJobs } from '../../core/jobs.ts'
import { derivedId, storedInstallationId } from '../../platform/db/installation-id.ts'
import { displayUrl } from '../../platform/db/wait-for-database.ts'
import { diskFileStore } from '../../platform/files/disk.ts'
import type { Log } from '../../platform/log.ts'
import { fileStoreFor, openInstallation } from '../installation.ts'
import { checkDatabase, locationAt } from './check-database.ts'
import { DatabaseImportFault } from './database-import.ts'
import { type Moved, move } from './move.ts'

/**
 * Copies the embedded installation that `config` describes, which must not be running, to the PostgreSQL at the URL `to`, and its files to the
 * configured S3 store if requested. Throws with one sentence for the operator.
 */
export async function moveInstallation(
  config: Config,
  log: Log,
  { to, filesToS3 }: { to: string; filesToS3: boolean },
  tell: (text: string) => void
): Promise<Moved> {
  if (config.DATABASE_URL) {
    throw new DatabaseImportFault(
      'DATABASE_URL is set: a move starts from the embedded database, so leave it out for this command.'
    )
  }
  if (filesToS3 && !config.S3_BUCKET) {
    throw new DatabaseImportFault('S3_BUCKET is not set: --files-to-s3 copies to the store of the S3_ settings.')
  }
  await checkDatabase(to, displayUrl(to))
  const {
    services,
    direct: connection,
    close
  } = await openInstallation(config, log, { as: 'server', schema: 'require' })
  try {
    const original = await storedInstallationId(services.db)
    const location = await locationAt(to)
    const arrival = { id: derivedId(original.id, location), location, isMoved: true }
    const onDisk = { ...services, files: diskFileStore(config.DATA_DIR, original) }
    const destination = { name: displayUrl(to), connection: to, jobs: openJobs({ connection: to, log }), arrival }
    const owner = { id: arrival.id, formerIds: [original.id, ...original.formerIds], copiedFrom: [] }
    const filesTo = filesToS3 ? await fileStoreFor(config, owner) : undefined
    return await move({ services: onDisk, connection }, destination, { filesTo, tell })
  } finally {
    await close()
  }
}
