import type { StaffActor } from '../actor.ts'
import { type ManagedClient, managedClient } from '../clients/managed-client.ts'
import { type NewPerson, openAccount } from '../clients/sign-up.ts'
import { unusablePassword } from '../clients/unusable-password.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { postLetter } from '../letters/post-letter.ts'
import { invitationLetter } from '../letters/words.ts'
import { invitationSeconds } from '../limits.ts'
import { transaction } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import { newResetLink } from './reset-link.ts'
import { resetPage } from './reset-page.ts'

/**
 * Opens an account for somebody, who is invited by letter to choose the password: nobody else ever knows one. Throws `EmailTaken`.
 */
export async function inviteClient(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  person: NewPerson
): Promise<ManagedClient> {
  const { db, clock, config, passwords } = services
  const password = await unusablePassword(passwords)

  return await transaction(db, async db => {
    const id = await openAccount(db, person, password, clock.now())
    const invited = await newResetLink(services, db, { id, email: person.email }, resetPage(config), invitationSeconds)
    await postLetter(services, db, {
      kind: 'invitation',
      channel: 'mail',
      recipient: person.email,
      clientId: id,
      requestId: caller.requestId,
      content: invitationLetter({ link: invited!.link, expiresInSeconds: invitationSeconds })
    })
    const client = await managedClient(db, id)
    await record(services, db, doerOf(actor, caller), { action: 'client.created', target: { type: 'client', id } })
    return client
  })
}
