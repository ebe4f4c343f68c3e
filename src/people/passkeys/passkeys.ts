import { type Selectable, sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { PasskeyTables } from '../../core/tables/passkeys.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { isKnownPassword } from '../../platform/secrets/passwords.ts'
import { removePasskeys } from '../credentials/remove-passkeys.ts'
import { passkeyHost } from './relying-party.ts'

export const maxPasskeys = 20

export const PasskeyNotFound = failure(404, 'passkey_not_found', 'You have no such passkey')
export const LastWayIn = failure(
  409,
  'last_way_in',
  'It is your only way in: add another one first. A password, where it lets you in, is chosen by “Forgot password?”'
)

export type OwnPasskey = Pick<Selectable<PasskeyTables['passkeys']>, (typeof columns)[number]>

/** The passkeys of an account, oldest first. */
export async function passkeysOf(db: Db, { population, id }: Account): Promise<OwnPasskey[]> {
  return await listed[population](db, { id })
}

/** Gives one of the actor's passkeys another name. Throws `PasskeyNotFound`. */
export async function renamePasskey(
  services: Services,
  actor: Actor,
  { id, name }: { id: number; name: string },
  caller: Caller
): Promise<OwnPasskey> {
  return await act(services, { actor, caller }, async act => {
    await lockOwner(act.db, actor)
    const former = await ownPasskey(act.db, actor, id)
    if (former.name === name) return former
    await rename(act.db, { id, name })
    act.happened({ kind: 'passkey.renamed', subject: subjectOf(actor), after: { passkey_id: id } })
    return { ...former, name }
  })
}

/** Deletes one of the actor's passkeys. Throws `PasskeyNotFound`, and `LastWayIn` if nothing else would let them in. */
export async function deletePasskey(services: Services, actor: Actor, id: number, caller: Caller): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const hasPassword = await lockOwner(act.db, actor)
    await ownPasskey(act.db, actor, id)
    await remove(act.db, { id })
    if (!hasPassword) await requireWayIn(services, act.db, actor)
    act.happened({ kind: 'passkey.deleted', subject: subjectOf(actor), before: { passkey_id: id } })
  })
}

/** Deletes all passkeys of the actor, who signs out everywhere. Throws `LastWayIn` if nothing else would let them in. */
export async function deleteAllPasskeys(services: Pick<Services, 'config'>, act: Act, actor: Actor): Promise<void> {
  const hasPassword = await lockOwner(act.db, actor)
  const count = await removePasskeys(act.db, actor)
  if (count === 0) return
  if (!hasPassword) await requireWayIn(services, act.db, actor)
  act.happened({ kind: 'passkeys.deleted', subject: subjectOf(actor), after: { count } })
}

/** Throws `LastWayIn` unless a passkey or a provider still lets in an account that has no password. */
export async function requireWayIn(
  { config }: Pick<Services, 'config'>,
  db: Db,
  { population, id }: Account
): Promise<void> {
  if ((await waysIn(db, { population, id, host: passkeyHost(config) ?? '' })).length === 0) throw LastWayIn()
}

/** Locks an account, so that its passkeys are counted and changed one after the other; tells whether a password lets them in, which somebody knows. */
export async function lockOwner(db: Db, { population, id }: Account): Promise<boolean> {
  const [owner] = await locked[population](db, { id })
  return owner?.may_use_password === true && isKnownPassword(owner.password)
}

/** Whether a password lets them in, which somebody knows. */
export async function hasPassword(db: Db, { population, id }: Account): Promise<boolean> {
  const [owner] = await owners[population](db, { id })
  return owner?.may_use_password === true && isKnownPassword(owner.password)
}

export function subjectOf({ population, id }: Account) {
  return { type: population, id } as const
}

async function ownPasskey(db: Db, actor: Actor, id: number): Promise<OwnPasskey> {
  const passkey = (await passkeysOf(db, actor)).find(each => each.id === id)
  if (!passkey) throw PasskeyNotFound()
  return passkey
}

const columns = [
  'id',
  'credential_id',
  'name',
  'transports',
  'is_backed_up',
  'aaguid',
  'blocked_at',
  'created_at',
  'last_used_at'
] as const

const listed = {
  client: prepared((db, p: { id: number }) =>
    db.selectFrom('passkeys').where('client_id', '=', p.id).select(columns).orderBy('id')
  ),
  staff: prepared((db, p: { id: number }) =>
    db.selectFrom('passkeys').where('staff_id', '=', p.id).select(columns).orderBy('id')
  )
}

const owners = {
  client: prepared((db, p: { id: number }) => clientOwner(db, p)),
  staff: prepared((db, p: { id: number }) => staffOwner(db, p))
}

const locked = {
  client: prepared((db, p: { id: number }) => clientOwner(db, p).forNoKeyUpdate()),
  staff: prepared((db, p: { id: number }) => staffOwner(db, p).forNoKeyUpdate())
}

function clientOwner(db: Db, p: { id: number }) {
  return db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['password', sql.lit(true).as('may_use_password')])
}

/** Where staff sign in only by single sign-on, a password lets in admins with a second factor alone (O14). */
function staffOwner(db: Db, p: { id: number }) {
  return db
    .selectFrom('staff')
    .where('id', '=', p.id)
    .select('password')
    .select(
      sql<boolean>`((role = 'admin' and two_factor_enabled) or not exists (
        select from desk_settings where name = 'require_sso_staff' and value = '1'))`.as('may_use_password')
    )
}

const waysIn = prepared((db, p: { population: Population; id: number; host: string }) =>
  db
    .selectFrom('passkeys')
    .where('user_type', '=', p.population)
    .where('user_id', '=', p.id)
    .where('host', '=', p.host)
    .where('blocked_at', 'is', null)
    .select('id')
    .unionAll(
      db
        .selectFrom('sso_identities as identity')
        .innerJoin('sso_providers as provider', 'provider.id', 'identity.provider_id')
        .where('provider.is_active', '=', true)
        .where('identity.user_type', '=', p.population)
        .where('identity.user_id', '=', p.id)
        .select('identity.id')
    )
)

const rename = prepared((db, p: { id: number; name: string }) =>
  db.updateTable('passkeys').set({ name: p.name }).where('id', '=', p.id)
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('passkeys').where('id', '=', p.id))
