import { type Keys, makeKeys } from '../../core/keys.ts'
import { ArchiveFault } from './archive.ts'

/** Identifies the application secrets, the current one first, without revealing them. */
export function fingerprintsOf(keys: Keys): string[] {
  return keys.digests('backup', 'fingerprint')
}

/** Whether these secrets decrypt what the first secret of the fingerprints encrypted. */
export function areFor(secrets: readonly [string, ...string[]], fingerprints: string[]): boolean {
  return fingerprints[0] !== undefined && fingerprintsOf(makeKeys(secrets)).includes(fingerprints[0])
}

/** The secrets available at a restore. */
interface Given {
  /** Those of APP_SECRET. */
  settings: readonly [string, ...string[]] | undefined
  /** That of the key file in the backup. */
  archived: string | undefined
  /** That of the key file which is here already. */
  present: string | undefined
}

/**
 * The secrets that decrypt a backup, and the key file to write here for that. Throws `ArchiveFault` if none of the given ones was in use when it
 * was written.
 */
export function fittingSecrets(
  fingerprints: string[],
  { settings, archived, present }: Given
): { secrets: readonly [string, ...string[]]; keyFile?: string } {
  const fits = (secrets: readonly [string, ...string[]]) => areFor(secrets, fingerprints)
  if (settings) {
    if (fits(settings)) return { secrets: settings }
    throw new ArchiveFault(
      'APP_SECRET is not what the secrets in the backup were encrypted with: set it to the one of the installation that was ' +
        `backed up (it may be the last of several)${archived ? ', or to none, to use the key file in the backup' : ''}.`
    )
  }
  if (archived) return { secrets: [archived], ...(archived === present ? {} : { keyFile: archived }) }
  if (present && fits([present])) return { secrets: [present] }
  throw new ArchiveFault(
    'The backup has no key file in it: set APP_SECRET to the one of the installation that was backed up, or put its app.key ' +
      'into DATA_DIR first.'
  )
}
