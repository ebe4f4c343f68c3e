import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Caller } from '../../kit/caller.ts'
import { Failure } from '../../kit/errors.ts'
import type { OidcPerson } from '../../platform/oidc/oidc.ts'
import { type AnyAccount, accountByEmail, accountById } from '../auth/accounts.ts'
import { proveByCode } from '../clients/prove-email.ts'
import { EmailTaken, openAccount } from '../clients/sign-up.ts'
import { unusablePassword } from '../clients/unusable-password.ts'
import { isOfStaffInOtherSpelling } from '../credentials/other-spellings.ts'
import { lockOwner } from '../passkeys/passkeys.ts'
import { applyRoles } from './apply-roles.ts'
import { connect, markUsed, ownerOf } from './identities.ts'
import { provenEmail, type Refusal } from './judge-person.ts'
import type { SsoProvider } from './providers.ts'

/**
 * The account of somebody whom a provider has sent: the one that is connected with them; else, once, the one with their proven e-mail address, or a
 * new one if the provider may make accounts. Their roles follow the claim. Returns why there is none.
 */
export async function accountOfPerson(
  services: Services,
  provider: SsoProvider,
  person: OidcPerson,
  caller: Caller
): Promise<AnyAccount | Refusal> {
  const { db } = services
  const owner = await ownerOf(db, provider.id, person.subject)
  const found = owner ? await accountById(db, owner) : await connectedByEmail(services, provider, person, caller)
  if (!found || 'code' in found) return found ?? { code: 'account_unknown', reason: 'The account was deleted' }
  if (!found.is_active) return { code: 'deactivated', reason: 'The account is deactivated' }
  await act(services, auditActorOfAccount(found, caller), async act => {
    await markUsed(act.db, provider.id, person.subject, services.realClock.now())
    await applyRoles(act, provider, found, person)
  })
  return found
}

async function connectedByEmail(
  services: Services,
  provider: SsoProvider,
  person: OidcPerson,
  caller: Caller
): Promise<AnyAccount | Refusal> {
  const email = provenEmail(provider, person)
  if (typeof email !== 'string') return email
  const account = await accountByEmail(services.db, provider.population, email)
  if (account && !account.is_active) return { code: 'deactivated', reason: 'The account is deactivated' }
  if (!account) return await newAccount(services, provider, person, email, caller)
  return await connectAccount(services, provider, person.subject, account, caller)
}

/** Connects an account with somebody at a provider. Somebody may have opened it with an address that is not theirs, so it has to be proven. */
async function connectAccount(
  services: Services,
  provider: SsoProvider,
  subject: string,
  account: AnyAccount,
  caller: Caller
): Promise<AnyAccount | Refusal> {
  return await act(services, auditActorOfAccount(account, caller), async act => {
    await lockOwner(act.db, account)
    const current = await accountById(act.db, account)
    if (!current?.is_active) return { code: 'deactivated', reason: 'The account is deactivated' }
    if (current.population === 'client' && !current.is_email_verified) {
      return { code: 'verify_first', reason: 'The e-mail address of the account here is not proven' }
    }
    if (current.email !== account.email)
      return { code: 'link_refused', reason: 'The e-mail address of the account has changed' }
    return (await linked(act, provider, subject, current)) ?? current
  })
}

/** Connects, or returns why not. */
export async function linked(
  act: Act,
  provider: SsoProvider,
  subject: string,
  account: Account
): Promise<Refusal | undefined> {
  if (!(await connect(act.db, provider.id, subject, account, act.now))) {
    return {
      code: 'link_refused',
      reason: 'The account is connected with somebody else at this provider, or they with another'
    }
  }
  const whose = { type: account.population, id: account.id } as const
  act.happened({ kind: 'sso.connected', subject: whose, after: { provider: provider.slug } })
  return undefined
}

async function newAccount(
  services: Services,
  provider: SsoProvider,
  person: OidcPerson,
  email: string,
  caller: Caller
): Promise<AnyAccount | Refusal> {
  if (!provider.create_accounts)
    return { code: 'account_unknown', reason: 'There is no account with this e-mail address' }
  const password = await unusablePassword(services.passwords)
  const name = nameOf(person, email)
  try {
    return await act(services, system, async act => {
      const { db, now } = act
      const id =
        provider.population === 'client'
          ? await openAccount(db, { ...name, email }, password, now)
          : await openStaffAccount(db, { ...name, email, password, now })
      const account = { population: provider.population, id }
      const by = auditActorOfAccount({ ...name, ...account }, caller)
      if (provider.population === 'client') {
        act.happened({ kind: 'client.created', subject: { type: 'client', id }, logged: false }, by)
        await proveByCode(act, id)
      } else {
        act.happened(
          { kind: 'staff.created', subject: { type: 'staff', id }, after: { role: 'supporter', permissions: [] } },
          by
        )
      }
      const refusal = await linked(act, provider, person.subject, account)
      if (refusal) throw EmailTaken()
      return (await accountById(db, account))!
    })
  } catch (error) {
    if (!(error instanceof Failure && error.kind === EmailTaken)) throw error
    // Their own first sign-in in another tab may have been faster.
    const owner = await ownerOf(services.db, provider.id, person.subject)
    const made = owner && (await accountById(services.db, owner))
    if (made) return made
    return { code: 'link_refused', reason: 'The e-mail address is in use already' }
  }
}

/** Both are needed: where the provider tells one word or none, the parts of the address stand in, as for senders of e-mails. */
function nameOf({ claims }: OidcPerson, email: string): { first_name: string; last_name: string } {
  const read = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim() : ''
  }
  const [first = '', ...rest] = read('name').split(' ')
  const [local, domain] = email.split('@') as [string, string]
  return {
    first_name: cut(read('given_name') || first || local),
    last_name: cut(read('family_name') || rest.join(' ') || domain)
  }
}

function cut(text: string): string {
  return [...text.toWellFormed()].slice(0, 100).join('').trim()
}

interface NewStaff {
  first_name: string
  last_name: string
  email: string
  password: string
  now: Date
}

/** Throws `EmailTaken`, as `openAccount` does. */
async function openStaffAccount(db: Db, person: NewStaff): Promise<number> {
  const isTaken = await isOfStaffInOtherSpelling(db, person.email)
  const [opened] = isTaken ? [] : await insertStaff(db, person)
  if (!opened) throw EmailTaken()
  return opened.id
}

const insertStaff = prepared((db, p: NewStaff) =>
  db
    .insertInto('staff')
    .values({
      first_name: p.first_name,
      last_name: p.last_name,
      email: p.email,
      password: p.password,
      role: sql.lit('supporter' as const),
      created_at: p.now,
      updated_at: p.now
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
)
