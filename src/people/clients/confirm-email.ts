import type { StaffActor } from '../../core/actor.ts'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { closeEmailChange, notifyBothAddresses } from './email-changes.ts'
import { lockClient } from './lock-client.ts'
import { lockedClient, type ManagedClient, managedClient } from './managed-client.ts'
import { isSameEmail } from './same-email.ts'

export const EmailConfirmed = failure(
  400,
  'email_already_confirmed',
  'The e-mail address of this client needs no confirmation'
)
export const OtherEmail = failure(409, 'email_differs', 'This is not the client’s current e-mail address')
export const ConfirmationInvalid = failure(
  401,
  'confirmation_invalid',
  'The link is invalid, has expired or has been used'
)

/**
 * An admin confirms the address that staff have given a client; both addresses are told by whom. `email` says which one is meant, in case
 * it was changed again meanwhile. Throws `ClientNotFound`, `EmailConfirmed`, `OtherEmail`, `VersionConflict`.
 */
export async function confirmEmail(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, email, expected_version }: { id: number; email: string; expected_version?: number }
): Promise<ManagedClient> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const client = await lockedClient(db, id)
    requireVersion(client.version, expected_version)
    if (!(await isSameEmail(db, client.email, email))) throw OtherEmail({ errors: ['email'] })
    // A client's own change is none of theirs: the client proves the address.
    if (client.is_email_confirmed) throw EmailConfirmed()
    const { former_email: former } = (await closeEmailChange(db, id))!
    await notifyBothAddresses(services, db, { id, former, next: client.email }, actor, caller.requestId)
    await touch(db, { id, now: act.now })
    act.happened({ kind: 'client.email_confirmed', subject: { type: 'client', id }, after: { by: 'admin' } })
    return await managedClient(db, id)
  })
}

/** The new address, masked, as shown to the reader of the former one who is asked to confirm it. */
export async function emailToConfirm(services: Services, token: string): Promise<string> {
  return masked((await openChange(services, services.db, token)).email)
}

/**
 * Confirms the address by the token sent to the former one. The token is valid once, and for that change only. Throws
 * `ConfirmationInvalid`.
 */
export async function confirmEmailFromFormer(services: Services, token: string, caller: Caller): Promise<void> {
  await act(services, system, async act => {
    const { db } = act
    const known = await openChange(services, db, token)
    await lockClient(db, known.id)
    // Checked again under the lock: of several requests at once only one finds the change.
    const client = await openChange(services, db, token)
    await closeEmailChange(db, client.id)
    await touch(db, { id: client.id, now: act.now })
    const event = {
      kind: 'client.email_confirmed',
      subject: { type: 'client', id: client.id },
      after: { by: 'link' }
    } as const
    act.happened(event, auditActorOfAccount({ ...client, population: 'client' }, caller))
  })
}

async function openChange({ keys, realClock }: Services, db: Db, token: string) {
  const claims = keys.verify('email-change', token, realClock.now())
  const [client] = claims ? await clientOfChange(db, { change: claims.change }) : []
  if (!client) throw ConfirmationInvalid()
  return client
}

function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0]}…${email.slice(at)}`
}

const clientOfChange = prepared((db, p: { change: number }) =>
  db
    .selectFrom('email_changes')
    .innerJoin('clients', 'clients.id', 'email_changes.client_id')
    .where('email_changes.id', '=', p.change)
    .select(['clients.id', 'clients.email', 'clients.first_name', 'clients.last_name'])
)

const touch = prepared((db, p: { id: number; now: Date }) =>
  db.updateTable('clients').set({ updated_at: p.now }).where('id', '=', p.id)
)
