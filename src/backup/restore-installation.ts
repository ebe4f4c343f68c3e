import type { Config } from '../config.ts'
import { connectionFor, databaseName, fileStoreFor, keyFilePath, makeDataFolder } from '../installation.ts'
import { openJobs } from '../platform/jobs/boss.ts'
import type { Log } from '../platform/log.ts'
import { presentSecret, replaceKeyFile } from '../platform/secrets/key-file.ts'
import { makeKeys } from '../platform/secrets/keys.ts'
import { type CheckedArchive, checkArchive } from './check-archive.ts'
import { refuseNewer } from './fill.ts'
import { reach } from './reach.ts'
import { restore } from './restore.ts'
import { fittingSecrets } from './secrets.ts'

interface RestoredInstallation {
  archive: CheckedArchive
  /** How many letters wait to be sent. */
  letters: number
  /** Where the key file of the backup was put. */
  keyFile: string | undefined
}

/**
 * Reads the archive at `path` through, then brings it into the installation that `config` describes, which must be empty and not at
 * work. Throws with one sentence for the operator.
 */
export async function restoreInstallation(
  config: Config,
  log: Log,
  path: string,
  tell: (text: string) => void
): Promise<RestoredInstallation> {
  tell(`reading ${path}`)
  const archive = await checkArchive(path)
  refuseNewer(archive.manifest)
  await makeDataFolder(config.DATA_DIR)
  const keyPath = keyFilePath(config)
  const { secrets, keyFile } = fittingSecrets(archive.manifest.secrets, {
    settings: config.APP_SECRET,
    archived: archive.key,
    present: config.APP_SECRET ? undefined : await presentSecret(keyPath)
  })

  const { connection, stop } = await connectionFor(config, log, 'server')
  try {
    const name = databaseName(config)
    await reach(connection, name)
    const files = await fileStoreFor(config, makeKeys(secrets))
    const jobs = openJobs({ connection, log })
    const beforeCommit = async () => {
      if (keyFile) await replaceKeyFile(keyPath, keyFile)
    }
    const letters = await restore({ name, connection, files, jobs }, archive, { beforeCommit, tell })
    return { archive, letters, keyFile: keyFile && keyPath }
  } finally {
    await stop()
  }
}
