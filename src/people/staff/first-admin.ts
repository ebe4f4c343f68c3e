import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { isOfStaffInOtherSpelling } from '../credentials/other-spellings.ts'
import { refuseCommonPassword } from '../credentials/refuse-common-password.ts'
import { setPassword } from '../credentials/set-password.ts'
import { StaffEmailInUse } from './administration.ts'
import { StaffNotFound } from './member.ts'

/** The first admin of an installation outside production. The password is public: it works on loopback only. */
export const defaultAdmin = { email: 'admin@example.com', password: 'Admin123!' }

export interface NewAdmin {
  email: string
  password: string
  firstName: string
  lastName: string
}

/** The public password of the default admin is in use where other machines could reach the service. */
export class DefaultPasswordExposed extends Error {}

/** What the operator is told at each start on which the default admin still has the public password. */
export const defaultPasswordWarning = `!!! The admin ${defaultAdmin.email} has the published password ${defaultAdmin.password}: change it before anybody else uses this service !!!`

/**
 * Creates the first admin if there is none: that of ADMIN_EMAIL, otherwise the default one; tells whether that has the public password.
 * Concurrent starts create only one. Throws `StaffEmailInUse` and `DefaultPasswordExposed`, whose messages are for the operator.
 */
export async function ensureFirstAdmin(
  services: Services,
  { isLoopback }: { isLoopback: boolean }
): Promise<{ isDefaultPasswordInUse: boolean }> {
  const { config, db, log } = services
  const mayUseDefault = isLoopback && !config.production
  await refuseUnfitAdmins(services, { isLoopback })

  if (!(await hasAdmin(db))) {
    const person = firstAdmin(services, mayUseDefault)
    if (person === undefined) {
      log.warn('There is no admin yet: create one with "deskline create-admin", or set ADMIN_EMAIL and ADMIN_PASSWORD')
      return { isDefaultPasswordInUse: false }
    }
    if (await insertAdmin(services, person, { onlyFirst: true })) log.info(`Created the admin ${person.email}`)
  }
  const isDefaultPasswordInUse = await hasDefaultPassword(services)
  if (isDefaultPasswordInUse && !mayUseDefault) throw new DefaultPasswordExposed(exposed(config.production))
  return { isDefaultPasswordInUse }
}

/**
 * Throws the errors that prevent a start because of its admins, existing ones or the one of the settings: `DefaultPasswordExposed`,
 * `StaffEmailInUse`, `InvalidFields`. Changes nothing.
 */
export async function refuseUnfitAdmins(
  services: Pick<Services, 'config' | 'db' | 'passwords'>,
  { isLoopback }: { isLoopback: boolean }
): Promise<void> {
  const { config, db } = services
  const mayUseDefault = isLoopback && !config.production
  if (await hasAdmin(db)) {
    if (!mayUseDefault && (await hasDefaultPassword(services)))
      throw new DefaultPasswordExposed(exposed(config.production))
    return
  }
  const person = firstAdmin(services, mayUseDefault)
  if (!person) return
  await refuseCommonPassword(services, person.password)
  const holder = await db
    .selectFrom('staff')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${person.email})`)
    // Another process may have created the admin meanwhile.
    .where('role', '=', 'supporter')
    .executeTakeFirst()
  if (holder) throw adminIsSupporter(person.email)
}

/** Creates an admin, however many there are, and returns the id. Throws `StaffEmailInUse`, `InvalidFields`. */
export async function createAdmin(services: Services, person: NewAdmin): Promise<number> {
  const id = await insertAdmin(services, person, { onlyFirst: false })
  if (id === undefined) throw StaffEmailInUse()
  return id
}

/** Sets an admin's password, and reactivates an inactive one. Throws `StaffNotFound`, `InvalidFields`. */
export async function replaceAdminPassword(
  services: Services,
  { email, password }: Pick<NewAdmin, 'email' | 'password'>
): Promise<void> {
  const { passwords } = services
  await refuseCommonPassword(services, password)
  const hashed = await passwords.hash(password)

  await act(services, system, async act => {
    const admin = await act.db
      .selectFrom('staff')
      .select(['id', 'is_active'])
      .where(sql`lower(email)`, '=', sql`lower(${email})`)
      .where('role', '=', 'admin')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!admin) throw StaffNotFound({ message: `There is no admin with the e-mail address ${email}` })
    const account = { population: 'staff', id: admin.id } as const
    if (!admin.is_active) {
      await act.db.updateTable('staff').set({ is_active: true }).where('id', '=', admin.id).execute()
      act.happened({
        kind: 'staff.updated',
        subject: { type: 'staff', id: admin.id },
        before: { is_active: false },
        after: { is_active: true, fields: ['is_active'], sessions_ended: 0 }
      })
    }
    await act.db.updateTable('staff').set({ signs_in_once: true }).where('id', '=', admin.id).execute()
    await setPassword(services, act, account, { to: hashed, by: 'command' })
  })
}

function firstAdmin({ config }: Pick<Services, 'config'>, mayUseDefault: boolean): NewAdmin | undefined {
  const name = { firstName: 'Support', lastName: 'Admin' }
  if (config.ADMIN_EMAIL && config.ADMIN_PASSWORD) {
    return { ...name, email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD }
  }
  return mayUseDefault ? { ...name, ...defaultAdmin } : undefined
}

/** The e-mail addresses of the active admins, oldest first, and whether one of them has the public password. */
export async function activeAdmins(
  services: Pick<Services, 'db' | 'passwords'>
): Promise<{ emails: string[]; hasDefaultPassword: boolean }> {
  const admins = await services.db
    .selectFrom('staff')
    .select('email')
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .orderBy('id')
    .limit(100)
    .execute()
  return { emails: admins.map(({ email }) => email), hasDefaultPassword: await hasDefaultPassword(services) }
}

async function hasAdmin(db: Db): Promise<boolean> {
  const admin = await db.selectFrom('staff').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()
  return admin !== undefined
}

/** The id of the new admin; undefined if `onlyFirst` is set and there is one, or if the e-mail address is taken. */
async function insertAdmin(
  services: Services,
  person: NewAdmin,
  { onlyFirst }: { onlyFirst: boolean }
): Promise<number | undefined> {
  const { db, passwords } = services
  await refuseCommonPassword(services, person.password)
  const password = await passwords.hash(person.password)

  return await transaction(db, async db => {
    // Starting processes queue here; each sees what the one before it has committed.
    await sql`select pg_advisory_xact_lock(hashtext('deskline first admin'))`.execute(db)
    if (onlyFirst && (await hasAdmin(db))) return undefined
    if (!onlyFirst && (await isOfStaffInOtherSpelling(db, person.email))) return undefined
    const inserted = await db
      .insertInto('staff')
      .values({
        first_name: person.firstName,
        last_name: person.lastName,
        email: person.email,
        password,
        role: 'admin',
        signs_in_once: !onlyFirst
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (onlyFirst && !inserted) {
      throw adminIsSupporter(person.email)
    }
    return inserted?.id
  })
}

async function hasDefaultPassword({ db, passwords }: Pick<Services, 'db' | 'passwords'>): Promise<boolean> {
  const admin = await db
    .selectFrom('staff')
    .select('password')
    .where(sql`lower(email)`, '=', defaultAdmin.email)
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .executeTakeFirst()
  return admin !== undefined && (await passwords.fits(defaultAdmin.password, admin.password))
}

function adminIsSupporter(email: string) {
  return StaffEmailInUse({ message: `ADMIN_EMAIL ${email} belongs to a supporter already: name another one` })
}

function exposed(production: boolean): string {
  const where = production ? 'NODE_ENV is production' : 'HOST is more than this machine'
  return `${where}, but the admin ${defaultAdmin.email} still has the published password: run "deskline create-admin --replace --email ${defaultAdmin.email}" first.`
}
