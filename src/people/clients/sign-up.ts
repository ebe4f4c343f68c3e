import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { auditActorOfAccount, type Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import { failure } from '../../kit/errors.ts'
import { widestNetworkOf } from '../../lib/network.ts'
import { baseAddress, supportAddresses } from '../../mail/support-addresses/support-addresses.ts'
import { isOfClientInOtherSpelling } from '../credentials/other-spellings.ts'
import { type ContactColumn, clientColumnsOf, noContact } from './columns.ts'

export const SignUpClosed = failure(403, 'sign_up_closed', 'Only our support team can create accounts')
export const EmailTaken = failure(409, 'email_taken', 'An account with this e-mail address exists already')

/** A person's data at sign-up. Missing fields are stored as empty text. */
export type NewPerson = Pick<ClientRow, 'first_name' | 'last_name' | 'email'> &
  Partial<Pick<ClientRow, ContactColumn | 'language'>>

/** Creates a client account from a plain-text `password` and returns its id. Throws `EmailTaken`. */
export async function signUp(
  services: ActServices & Pick<Services, 'passwords'>,
  person: NewPerson & { password: string },
  caller: Origin
): Promise<number> {
  const password = await services.passwords.hash(person.password, {
    lane: 'sign-up',
    group: widestNetworkOf(caller.ip ?? '')
  })
  return await act(services, system, async act => {
    const id = await openAccount(act.db, person, password, act.now)
    const by = auditActorOfAccount({ ...person, population: 'client', id }, caller)
    // What clients do themselves is in the event log only.
    act.happened({ kind: 'client.created', subject: { type: 'client', id }, logged: false }, by)
    return id
  })
}

/** The same with a hashed password. Throws `EmailTaken`, which the unique index decides. */
export async function openAccount(db: Db, person: NewPerson, password: string, now: Date): Promise<number> {
  const isKept = (await keptFor(db, { email: person.email })).length > 0
  if (isKept || (await isOfClientInOtherSpelling(db, person.email))) throw EmailTaken({ errors: ['email'] })
  await refuseSupportAddress(db, person.email)
  const [client] = await insertClient(db, { ...noContact, language: null, ...person, password, now })
  if (!client) throw EmailTaken({ errors: ['email'] })
  return client.id
}

/** Whether another client's address is being changed from this one, and still is theirs until the new one is proven or confirmed. */
export function isKeptForOther({ id, email }: { id: number; email: string }) {
  return sql<boolean>`exists (
    select from email_changes as open where open.client_id <> ${id} and lower(open.former_email) = lower(${email}))`
}

const keptFor = prepared((db, p: { email: string }) =>
  db.selectFrom('email_changes').where(sql`lower(former_email)`, '=', sql`lower(${p.email})`).select('id')
)

/** The desk would write to itself. Throws `EmailTaken` for one of its support addresses, however it is written. */
export async function refuseSupportAddress(db: Db, email: string): Promise<void> {
  const wanted = baseAddress(email)
  const isOwn = (await supportAddresses(db)).some(({ address }) => baseAddress(address) === wanted)
  if (isOwn) throw EmailTaken({ message: 'This is an address of the support desk itself', errors: ['email'] })
}

const insertClient = prepared((db, p: Required<NewPerson> & { password: string; now: Date }) =>
  db
    .insertInto('clients')
    .values({
      ...clientColumnsOf(p),
      language: p.language,
      password: p.password,
      created_at: p.now,
      updated_at: p.now
    })
    .onConflict(conflict => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
)
