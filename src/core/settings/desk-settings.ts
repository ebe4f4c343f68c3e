import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Caller } from '../../kit/caller.ts'
import { InvalidFields, SignInRequired } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { timeZoneNamed } from '../../lib/time-zones.ts'
import type { Session, StaffActor } from '../actor.ts'
import { act } from '../acts/act.ts'
import { moveInstalledCalendars } from '../calendars/installed-calendars.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'
import { endPasswordSessions } from '../sessions/end-password-sessions.ts'
import { validatedBranding } from './branding.ts'
import { requireAddresses, requireMailAddresses } from './mail-addresses.ts'
import { requireDepartments } from './named-departments.ts'
import { type DeskSettings, defaultSettings } from './registry.ts'

/** All settings; their version is the time of the last change. */
export async function settingsOf(db: Db): Promise<VersionedSettings> {
  const stored = await storedSettings(db, {})
  const known = stored.filter(({ name }) => Object.hasOwn(defaultSettings, name))
  return {
    settings: { ...defaultSettings, ...Object.fromEntries(known.map(({ name, value }) => [name, value])) },
    version: Math.max(1, ...known.map(({ updated_at }) => updated_at.getTime()))
  }
}

export interface VersionedSettings {
  settings: DeskSettings
  version: number
}

/** By what the desk decides how staff sign in, and which tokens work: no token decides that. */
const ofSignIn = ['require_staff_2fa', 'require_sso_staff', 'staff_tokens', 'token_longest_days'] as const

/**
 * Changes the given settings, effective from the next request, and returns all. Throws `VersionConflict`, `InvalidFields`, and `SignInRequired` for an
 * API token that would change how one signs in.
 */
export async function updateSettings(
  services: Services,
  { id: session, actor }: Session<StaffActor>,
  { expected_version, ...given }: Partial<DeskSettings> & { expected_version?: number },
  caller: Caller
): Promise<VersionedSettings> {
  const ofSignInGiven = ofSignIn.filter(name => given[name] !== undefined)
  if (actor.token && ofSignInGiven.length > 0) throw SignInRequired({ errors: ofSignInGiven })
  const changes = { ...given, ...validatedBranding(given), ...validatedTimeZone(given) }
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    // Concurrent changes run one after the other, so that each records what it found. Readers do not wait.
    await sql`lock table desk_settings in share row exclusive mode`.execute(db)
    requireAddresses('mail_names', Object.keys(given.mail_names ?? {}))
    requireAddresses('mail_senders', given.mail_senders)
    await requireMailAddresses(db, given.mail_addresses)
    const current = await settingsOf(db)
    requireVersion(current.version, expected_version)
    const before = current.settings
    // One that was deleted since stays in the list until it is taken out.
    const added = given.csat_departments?.filter(deptid => !before.csat_departments.includes(deptid))
    await requireDepartments(db, 'csat_departments', added ?? [])
    const after = { ...before, ...changes }
    const changed = (Object.keys(after) as (keyof DeskSettings)[]).filter(
      name => !isDeepStrictEqual(before[name], after[name])
    )
    if (changed.length === 0) return current

    // The version only increases, even if the clock goes back.
    const now = new Date(Math.max(act.now.getTime(), current.version + 1))
    for (const name of changed) await storeSetting(db, { name, value: JSON.stringify(after[name]), now })
    if (changed.includes('require_sso_staff') && after.require_sso_staff === 1)
      await endPasswordSessions(db, { except: session, now: services.realClock.now() })
    if (changed.includes('time_zone')) await moveInstalledCalendars(act, after.time_zone)
    act.happened({
      kind: 'setting.changed',
      subject: { type: 'setting', id: null },
      before: chosen(before, changed),
      after: chosen(after, changed)
    })
    return { settings: after, version: now.getTime() }
  })
}

function validatedTimeZone({ time_zone: given }: Partial<DeskSettings>): Partial<DeskSettings> {
  if (given === undefined) return {}
  const time_zone = timeZoneNamed(given)
  if (time_zone !== undefined) return { time_zone }
  throw InvalidFields({
    message: 'time_zone must be the name of a time zone, like Europe/Berlin, and no offset',
    errors: ['time_zone']
  })
}

function chosen(settings: DeskSettings, names: (keyof DeskSettings)[]): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [name, settings[name]]))
}

const storedSettings = prepared(db => db.selectFrom('desk_settings').select(['name', 'value', 'updated_at']))

const storeSetting = prepared((db, p: { name: string; value: string; now: Date }) =>
  db
    .insertInto('desk_settings')
    .values({ name: p.name, value: p.value, updated_at: p.now })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value: p.value, updated_at: p.now }))
)
