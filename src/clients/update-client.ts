import type { StaffActor } from '../actor.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { requireVersion } from '../kit/versions.ts'
import { postLetter } from '../letters/post-letter.ts'
import { emailChangedLetter } from '../letters/words.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { ClientRow } from '../platform/db/tables.ts'
import type { Services } from '../services.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { refuseErased } from './erased.ts'
import { heldClient, type ManagedClient, managedClient } from './managed-client.ts'
import { EmailTaken } from './sign-up.ts'
import { closeWaysIn, voidCodes } from './ways-in.ts'

/** What staff may change about a client; what is left out stays, and a null empties it. */
interface ClientChanges {
  first_name?: string
  last_name?: string
  email?: string
  is_active?: 0 | 1
  phone_number?: string | null
  company_name?: string | null
  street_address?: string | null
  street_address_2?: string | null
  city?: string | null
  state?: string | null
  postcode?: string | null
}

/**
 * Changes what is given. A new e-mail address or phone number is not verified, and voids what was sent to the former. A new address
 * also ends all sessions, and the former one is told. A deactivation ends all sessions as well. Throws `ClientNotFound`, `EmailTaken`,
 * `ClientErased`, `VersionConflict`.
 */
export async function updateClient(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, ...changes }: ClientChanges & { id: number; expected_version?: number }
): Promise<ManagedClient> {
  return await unlessEmailTaken(() =>
    transaction(services.db, async db => {
      const former = await heldClient(db, id)
      requireVersion(former.version, expected_version)
      refuseErased(former)
      const next = { ...former, ...given(changes) }
      const fields = columns.filter(name => next[name] !== former[name])
      if (fields.length === 0) return former

      const now = services.clock.now()
      const movesAway = next.email.toLowerCase() !== former.email.toLowerCase()
      const hasNewNumber = fields.includes('phone_number')
      await setFields(db, {
        ...next,
        is_email_verified: former.is_email_verified && !movesAway,
        is_phone_verified: former.is_phone_verified && !hasNewNumber,
        updated_at: now
      })
      if (hasNewNumber) await voidCodes(db, { client: id, type: 'phone', now })
      if (!next.is_active) await endSessionsOf(db, { population: 'client', id }, now)
      if (movesAway) await leaveAddress(services, db, former, caller, now)
      const client = await managedClient(db, id)
      // Which fields, not what was in them: the audit log outlives a client who is erased.
      const deed = { action: 'client.updated', target: { type: 'client', id } } as const
      const [before, after] = [{ is_active: former.is_active }, { is_active: client.is_active, fields }]
      await record(services, db, doerOf(actor, caller), { ...deed, before, after })
      return client
    })
  )
}

/** Whatever was opened or sent by way of the former address ends; it is told, in case that nobody there knows of it. */
async function leaveAddress(services: Services, db: Db, former: ManagedClient, caller: Caller, now: Date) {
  await closeWaysIn(db, former.id, now)
  await postLetter(services, db, {
    kind: 'email-changed',
    channel: 'mail',
    recipient: former.email,
    requestId: caller.requestId,
    content: emailChangedLetter()
  })
}

/** The unique index alone decides who has an address. */
async function unlessEmailTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'clients_email_key') {
      throw EmailTaken({ errors: ['email'] })
    }
    throw error
  }
}

const columns = [
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'company_name',
  'street_address',
  'street_address_2',
  'city',
  'state',
  'postcode',
  'is_active'
] as const

function given({ is_active, ...texts }: ClientChanges): Partial<ManagedClient> {
  const named = Object.entries(texts).filter(([, text]) => text !== undefined)
  return {
    ...Object.fromEntries(named.map(([name, text]) => [name, text ?? ''])),
    ...(is_active === undefined ? {} : { is_active: is_active === 1 })
  }
}

type Fields = Pick<ClientRow, (typeof columns)[number] | 'is_email_verified' | 'is_phone_verified' | 'updated_at'>

const setFields = prepared((db, p: Fields & { id: number }) =>
  db
    .updateTable('clients')
    .set({
      first_name: p.first_name,
      last_name: p.last_name,
      email: p.email,
      phone_number: p.phone_number,
      company_name: p.company_name,
      street_address: p.street_address,
      street_address_2: p.street_address_2,
      city: p.city,
      state: p.state,
      postcode: p.postcode,
      is_active: p.is_active,
      is_email_verified: p.is_email_verified,
      is_phone_verified: p.is_phone_verified,
      updated_at: p.updated_at
    })
    .where('id', '=', p.id)
)
