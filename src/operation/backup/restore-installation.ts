import type { Config } from '../../core/config.ts'
import { openJobs } from '../../core/jobs.ts'
import { derivedId } from '../../platform/db/installation-id.ts'
import { ForeignFiles } from '../../platform/files/file-store.ts'
import type { Log } from '../../platform/log.ts'
import { readKeyFile, replaceKeyFile } from '../../platform/secrets/key-file.ts'
import { makeDataFolder } from '../data-folder.ts'
import { clusterFolder, connectionFor, databaseName, fileStoreFor, keyFilePath } from '../installation.ts'
import { type CheckedArchive, checkArchive } from './check-archive.ts'
import { checkDatabase, locationAt } from './check-database.ts'
import { DatabaseImportFault, refuseNewer } from './database-import.ts'
import { restore } from './restore.ts'
import { fittingSecrets } from './secrets.ts'

export interface RestoreRequest {
  tell: (text: string) => void
  /** The original installation no longer exists: its files in this store become this one's. */
  adoptFiles?: boolean
}

interface RestoredInstallation {
  archive: CheckedArchive
  /** How many e-mails are queued. */
  outboxMessages: number
  /** The path of the restored key file. */
  keyFile: string | undefined
}

/**
 * Checks the archive at `path`, then restores it into the installation that `config` describes, which must be empty and not running. Throws with
 * one sentence for the operator.
 */
export async function restoreInstallation(
  config: Config,
  log: Log,
  path: string,
  { tell, adoptFiles = false }: RestoreRequest
): Promise<RestoredInstallation> {
  tell(`reading ${path}`)
  const archive = await checkArchive(path)
  refuseNewer(archive.manifest)
  await makeDataFolder(config.DATA_DIR)
  const keyPath = keyFilePath(config)
  const { keyFile } = fittingSecrets(archive.manifest.secrets, {
    settings: config.APP_SECRET,
    archived: archive.key,
    present: config.APP_SECRET ? undefined : await readKeyFile(keyPath)
  })

  const { connection, stop } = await connectionFor(config, log, 'server')
  try {
    const name = databaseName(config)
    await checkDatabase(connection, name)
    const location = await locationAt(connection, clusterFolder(config))
    // The same id each time, in case this is interrupted and repeated.
    const arrival = {
      id: derivedId(`${archive.manifest.createdAt} ${archive.digests.files.sha256}`, location),
      location,
      isMoved: adoptFiles
    }
    const before = archive.manifest.installation ?? ['not known']
    const owner = { id: arrival.id, formerIds: adoptFiles ? before : [], copiedFrom: adoptFiles ? [] : before }
    const files = await fileStoreFor(config, owner)
    const jobs = openJobs({ connection, log })
    const beforeCommit = async () => {
      if (keyFile) await replaceKeyFile(keyPath, keyFile)
    }
    const emails = await restore({ name, connection, files, jobs, arrival }, archive, { beforeCommit, tell })
    return { archive, outboxMessages: emails, keyFile: keyFile && keyPath }
  } catch (error) {
    if (!(error instanceof ForeignFiles)) throw error
    throw new DatabaseImportFault(
      `${error.message} If that one is gone for good, say --adopt-files; else name another DATA_DIR, S3_BUCKET or S3_PREFIX.`
    )
  } finally {
    await stop()
  }
}
