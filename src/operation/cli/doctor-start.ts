import { randomBytes } from 'node:crypto'
import { migrations } from '../../../migrations/index.ts'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db.ts'
import type { JobRunner } from '../../core/jobs.ts'
import { type Keys, makeKeys } from '../../core/keys.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { refuseUnfitAdmins } from '../../people/staff/first-admin.ts'
import type { Clock } from '../../platform/clock.ts'
import { clockSkew } from '../../platform/db/clock-skew.ts'
import { refuseUnusableSchema } from '../../platform/db/migrate.ts'
import { schemaState } from '../../platform/db/schema-state.ts'
import { reasonOf } from '../../platform/db/wait-for-database.ts'
import { readKeyFile } from '../../platform/secrets/key-file.ts'
import { makePasswords } from '../../platform/secrets/passwords.ts'
import { languageMismatch } from '../../tickets/search/language.ts'
import { insecureSettings, localhostLinks } from '../insecure-settings.ts'
import { keyFilePath, refuseMismatchedKeys } from '../installation.ts'
import { refuseUnusableAddresses } from '../listening.ts'
import { missingIn } from '../prepare-database.ts'
import { type Finding, findingOf } from './finding.ts'

// The errors and warnings of a start, found by the same code.

/** Whether a start can work with the schema; otherwise the other checks cannot run. */
export async function checkSchema(
  { MIGRATE }: Config,
  db: Db,
  jobs: JobRunner
): Promise<{ finding: Finding; isUsable: boolean }> {
  const about = 'schema'
  try {
    const state = await schemaState(db, migrations)
    refuseUnusableSchema(state)
    const isUsable = state.pending.length === 0
    const missing = await missingIn({ db, jobs })
    if (missing.length > 0) {
      const mends = MIGRATE === 'auto'
      const how = mends ? 'the next start brings it up to date' : 'MIGRATE is "never": run "deskline migrate"'
      const text = `it is older than this version: ${how} (${missing.join(', ')})`
      return { finding: { verdict: mends ? 'warn' : 'fail', about, text }, isUsable }
    }
    const newest = state.unknown.at(-1)
    const text = newest ? `it is of a newer version that this one works with (${newest})` : 'it is the newest'
    return { finding: { verdict: 'ok', about, text }, isUsable }
  } catch (error) {
    return { finding: { verdict: 'fail', about, text: reasonOf(error) }, isUsable: false }
  }
}

/** The checks of a start in a database with a usable schema. */
export async function* checkStart(config: Config, db: Db, clock: Clock): AsyncGenerator<Finding> {
  yield await findingOf('secrets', async () => {
    await refuseMismatchedKeys({ config, db, keys: await existingKeys(config) })
    return 'the keys open what the database holds'
  })
  yield await checkClock(db, clock)
  yield await findingOf('first admin', async () => {
    await refuseUnfitAdmins({ config, db, passwords: makePasswords() }, { isLoopback: isLoopback(config.HOST) })
    return 'nothing about the admins keeps it from starting'
  })
  const language = await languageMismatch({ config, db })
  if (language) yield { verdict: 'warn', about: 'search', text: language }
}

/** A start would create a missing key file, and then find that it decrypts nothing. */
export async function existingKeys(config: Config): Promise<Keys> {
  return makeKeys(
    config.APP_SECRET ?? [(await readKeyFile(keyFilePath(config))) ?? randomBytes(48).toString('base64url')]
  )
}

async function checkClock(db: Db, clock: Clock): Promise<Finding> {
  const about = 'clock'
  const wrong = await clockSkew({ db, clock })
  if (!wrong) return { verdict: 'ok', about, text: 'it is that of the database' }
  return { verdict: wrong.isSevere ? 'fail' : 'warn', about, text: wrong.text }
}

/** Whether a start could listen, and what it would warn of. */
export async function* checkListening(config: Config): AsyncGenerator<Finding> {
  yield await findingOf('address', async () => {
    await refuseUnusableAddresses(config)
    return `HOST ${config.HOST} and PORT ${config.PORT} can be listened on, or Deskline does already`
  })
  const warnings = [...insecureSettings(config), localhostLinks(config)].filter(text => text !== undefined)
  for (const text of warnings) yield { verdict: 'warn', about: 'settings', text }
}
