import type { Actor, ClientActor, Session, StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { StaffRow } from '../../core/tables/staff.ts'
import type { Caller } from '../../kit/caller.ts'
import { InvalidFields, MissingFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { accountOf, knowsPassword, WrongPassword } from '../auth/prove-password.ts'
import { type ClientColumns, clientColumns } from '../clients/columns.ts'
import { keepFormerEmail, takeBackValues } from '../clients/email-changes.ts'
import { isSameEmail } from '../clients/same-email.ts'
import { invalidateCodes } from '../clients/sign-out-everywhere.ts'
import { refuseSupportAddress } from '../clients/sign-up.ts'
import { storeClient } from '../clients/store-client.ts'
import { invalidateResetLinksTo } from '../credentials/reset-link.ts'
import { leaveByDomain } from '../organisations/membership.ts'
import type { ProfileChanges } from './schemas.ts'

/**
 * Changes the given fields of the caller's own profile. A client's new e-mail address requires the password; it is unverified, the former
 * one is notified, and reset links that were requested there become void. Until the new address is proven, e-mails go to the former one. A new phone number is unverified. Throws `InvalidFields` if staff send
 * fields that they may not change, `WrongPassword`, `EmailTaken`, `VersionConflict`, 429.
 */
export async function changeProfile(
  services: Services,
  session: Session,
  { current_password: password, ...changes }: ProfileChanges,
  caller: Caller
): Promise<void> {
  const { id, actor } = session
  if (actor.population === 'staff') return await changeMember(services, actor, changes, caller)
  const stored = await provenPassword(services, { id, actor }, changes.email, password, caller.ip)
  await changeClient(services, actor, changes, stored, caller)
}

type Changes = Omit<ProfileChanges, 'current_password'>

/** The stored hash of the given password, after verifying it; undefined if the e-mail address stays. */
async function provenPassword(
  services: Services,
  { id: session, actor }: Session<ClientActor>,
  email: string | undefined,
  password: string | undefined,
  ip: string
): Promise<string | undefined> {
  if (email === undefined || email === actor.email) return undefined
  if (password === undefined) {
    throw MissingFields({ message: 'Missing required fields: current_password', errors: ['current_password'] })
  }
  const account = await accountOf(services, actor)
  if (!(await knowsPassword(services, account, password, { ip, session }))) throw WrongPassword()
  return account.password
}

async function changeClient(
  services: Services,
  actor: ClientActor,
  { expected_version, ...changes }: Changes,
  provenPassword: string | undefined,
  caller: Caller
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const [before] = await lockedClient(db, { id: actor.id })
    if (!before) return
    requireVersion(before.version, expected_version)
    const { now } = act
    const { language = before.language, ...texts } = changes
    const after = { ...before, ...withoutNull(texts), language }
    const changed = clientFields.filter(name => before[name] !== after[name])
    if (changed.length === 0) return
    // The password was changed meanwhile, so that the one given is no longer right; or another request has changed the address.
    if (changed.includes('email') && before.password !== provenPassword) throw WrongPassword()
    const isNewAddress = !(await isSameEmail(db, before.email, after.email))
    if (isNewAddress) await refuseSupportAddress(db, after.email)
    const former = { ...before, id: actor.id }
    if (isNewAddress) await keepFormerEmail(services, db, { former, next: after.email })

    await storeClient(db, {
      ...after,
      id: actor.id,
      is_email_verified: before.is_email_verified && !isNewAddress,
      is_phone_verified: before.is_phone_verified && !changed.includes('phone_number'),
      updated_at: now
    })
    if (changed.includes('phone_number')) await invalidateCodes(db, { client: actor.id, type: 'phone', now })
    if (isNewAddress) {
      await invalidateResetLinksTo(db, { client: actor.id, email: before.email, now })
      await invalidateCodes(db, { client: actor.id, type: 'email', now })
      await leaveByDomain(act, actor.id)
      await addToOutbox(services, db, {
        kind: 'email-changed',
        channel: 'mail',
        recipient: before.email,
        clientId: actor.id,
        requestId: caller.requestId,
        reader: actor,
        email: { template: 'email-changed', values: await takeBackValues(services, db, former) }
      })
    }
    recordProfileChange(act, actor, changed)
  })
}

async function changeMember(services: Services, actor: StaffActor, changes: Changes, caller: Caller): Promise<void> {
  const { first_name, last_name, phone_number, language, expected_version, ...others } = changes
  const refused = Object.keys(others)
  if (refused.length > 0) {
    throw InvalidFields({
      message: `Members of staff change their names, phone number and language here, but not: ${refused.join(', ')}`,
      errors: refused
    })
  }
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const [before] = await lockedMember(db, { id: actor.id })
    if (!before) return
    requireVersion(before.version, expected_version)
    const after = {
      first_name: first_name ?? before.first_name,
      last_name: last_name ?? before.last_name,
      phone_number: phone_number === undefined ? before.phone_number : phone_number,
      language: language === undefined ? before.language : language
    }
    const changed = memberFields.filter(name => before[name] !== after[name])
    if (changed.length === 0) return
    await storeMember(db, { ...after, id: actor.id, updated_at: act.now })
    recordProfileChange(act, actor, changed)
  })
}

/** The names of the fields only: the values are personal data, and the log is kept for ever. */
function recordProfileChange(act: Act, actor: Actor, fields: readonly string[]): void {
  act.happened({ kind: 'profile.changed', subject: { type: actor.population, id: actor.id }, after: { fields } })
}

/** Null becomes the empty text, which stands for a missing value of a client. */
function withoutNull(changes: Omit<Changes, 'expected_version' | 'language'>): Partial<ClientColumns> {
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? '']))
}

const clientFields = [...clientColumns, 'language'] as const
const memberFields = ['first_name', 'last_name', 'phone_number', 'language'] as const

const lockedClient = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(clientFields)
    .select(['password', 'is_active', 'is_email_verified', 'is_phone_verified', 'version'])
    .forNoKeyUpdate()
)

const lockedMember = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).select(memberFields).select('version').forNoKeyUpdate()
)

type StoredMember = Pick<StaffRow, (typeof memberFields)[number] | 'id' | 'updated_at'>

const storeMember = prepared((db, p: StoredMember) =>
  db
    .updateTable('staff')
    .set({
      first_name: p.first_name,
      last_name: p.last_name,
      phone_number: p.phone_number,
      language: p.language,
      updated_at: p.updated_at
    })
    .where('id', '=', p.id)
)
