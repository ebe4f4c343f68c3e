import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { invitationSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { type ManagedClient, managedClient } from '../clients/managed-client.ts'
import { type NewPerson, openAccount } from '../clients/sign-up.ts'
import { unusablePassword } from '../clients/unusable-password.ts'
import { resetPage } from '../credentials/reset-page.ts'
import {
  changedMembership,
  type MembershipChange,
  noMembership,
  requireMayChange,
  setMembership
} from '../organisations/membership.ts'
import { newResetLink } from './reset-link.ts'

/**
 * Creates a client account and e-mails an invitation to choose the password, which nobody else ever knows. Throws `EmailTaken`, `Forbidden`, and what
 * `changedMembership` and `setMembership` throw.
 */
export async function inviteClient(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { organisation_id, organisation_role, ...person }: NewPerson & MembershipChange
): Promise<ManagedClient> {
  const membership = { organisation_id, organisation_role }
  requireMayChange(actor, membership)
  const { config, passwords } = services
  const password = await unusablePassword(passwords)

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const id = await openAccount(db, person, password, act.now)
    await setMembership(act, id, noMembership, changedMembership(noMembership, membership))
    const invited = await newResetLink(services, db, { id, email: person.email }, resetPage(config), invitationSeconds)
    await addToOutbox(services, db, {
      kind: 'invitation',
      channel: 'mail',
      recipient: person.email,
      clientId: id,
      requestId: caller.requestId,
      reader: { population: 'client', id },
      email: {
        template: 'invitation',
        values: { 'reset.link': invited!.link, 'reset.valid_for': invitationSeconds }
      }
    })
    const client = await managedClient(db, id)
    act.happened({ kind: 'client.created', subject: { type: 'client', id } })
    return client
  })
}
