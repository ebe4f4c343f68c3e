import type { Writable } from 'node:stream'
import type { Config } from '../../core/config.ts'
import { makeKeys } from '../../core/keys.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { canOpenSecrets } from '../../people/auth/sealed-secrets.ts'
import { systemClock } from '../../platform/clock.ts'
import { openOneConnection } from '../../platform/db/one-connection.ts'
import { executedMigrations } from '../../platform/db/schema-state.ts'
import type { Log } from '../../platform/log.ts'
import { readKeyFile } from '../../platform/secrets/key-file.ts'
import { connectionFor, databaseName, fileStoreFor, keyFilePath, keyMismatch } from '../installation.ts'
import { ArchiveFault, type Digests } from './archive.ts'
import { backUpToFile } from './archive-file.ts'
import { backUp, type Original } from './back-up.ts'
import { checkDatabase } from './check-database.ts'

interface BackedUp {
  digests: Digests
  /** The archive contains the key file. */
  hasKey: boolean
}

export interface BackUpRequest {
  /** A path, or the stream to write to. */
  to: string | Writable
  withoutKey: boolean
  /** Replaces an existing file. */
  force?: boolean
  tell: (text: string) => void
}

/**
 * Backs up the installation that `config` describes, whether it is running or not. Its schema is not changed, so a backup can be made before an
 * upgrade with the new version too. Throws with one sentence for the operator.
 */
export async function backUpInstallation(
  config: Config,
  log: Log,
  { to, withoutKey, force, tell }: BackUpRequest
): Promise<BackedUp> {
  const keyPath = keyFilePath(config)
  const key = config.APP_SECRET ? undefined : await readKeyFile(keyPath)
  const secrets = config.APP_SECRET ?? (key ? ([key] as const) : undefined)
  if (!secrets)
    throw new ArchiveFault(`There is nothing to back up: neither APP_SECRET is set nor is there a ${keyPath}.`)
  const keys = makeKeys(secrets)

  const { direct: connection, stop } = await connectionFor(config, log, 'visitor')
  try {
    await checkDatabase(connection, databaseName(config))
    const original = {
      connection,
      services: { keys, clock: systemClock, files: await fileStoreFor(config, onlyReads) }
    }
    await refuseUnfit(original, config)
    const options = { tell, key: withoutKey ? undefined : key }
    const digests = await (typeof to === 'string'
      ? backUpToFile(original, to, { ...options, force })
      : backUp(original, to, options))
    return { digests, hasKey: options.key !== undefined }
  } finally {
    await stop()
  }
}

/** A backup removes no files, so their owner does not matter. */
const onlyReads = { id: 'backup', formerIds: [], copiedFrom: [] }

/** Fails now rather than at the restore. */
async function refuseUnfit({ connection, services }: Original, config: Config): Promise<void> {
  const { db, close } = await openOneConnection<Tables>(connection)
  try {
    if ((await executedMigrations(db)).length === 0) {
      throw new ArchiveFault(`There is nothing to back up: ${databaseName(config)} is empty.`)
    }
    if (!(await canOpenSecrets({ db, keys: services.keys }))) throw new ArchiveFault(keyMismatch(config))
  } finally {
    await close()
  }
}
