import { type Static, Type } from 'typebox'
import type { ActServices } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { Nullable, OneOf } from '../../kit/schemas.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { allSpellings, baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { clientByEmail } from '../../people/clients/client-by-email.ts'
import { isAutomatedAddress } from '../../platform/mail-reading/automatic.ts'
import { deliveryReasonOf, deliveryReasons } from '../../platform/mail-reading/bounce-reasons.ts'
import { insertFollower, standingOf } from '../followers/add-followers.ts'
import { type Follower, followersOf, isFollowing } from '../followers/followers.ts'
import { removeFollower } from '../followers/remove-follower.ts'
import { FollowerNotFound } from '../followers/schemas.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'

const Why = Type.Object({
  cause: OneOf(['desk', 'client', 'staff', 'undeliverable'] as const),
  // The delivery failure, if that is the cause.
  reason_code: Nullable(OneOf(deliveryReasons, 'unknown_address'))
})
type Why = Static<typeof Why>

export const FollowerRefused = failure(409, 'follower_refused', 'This address cannot follow the ticket', Why)
export const TooManyFollowers = failure(409, 'too_many_followers', 'This ticket has the maximum number of followers')

/**
 * Adds a follower, who gets the replies of a ticket by e-mail beside its client, and returns all followers; somebody who already follows
 * stays. Only this brings back a follower who was removed. Throws `FollowerRefused`, `TooManyFollowers`, and what `changeTicket` does.
 */
export async function addFollower(
  services: ActServices & Pick<Services, 'config'>,
  change: Change,
  { email, name }: { email: string; name: string }
): Promise<Follower[]> {
  const { config } = services
  const isOfDesk = isAutomatedAddress(email) || (await ownAddresses(services)).has(baseAddress(email))
  const { id } = await changeTicket(services, change, async ({ db, now }, ticket) => {
    if (await isFollowing(db, ticket.id, email)) return undefined
    const [standing] = await standingOf(db, {
      ticket: ticket.id,
      client: ticket.client_id,
      emails: allSpellings(email)
    })
    const { is_client, is_staff, undeliverable, undeliverable_status, count } = standing!
    if (isOfDesk) throw refused('desk', 'The desk itself and programs cannot follow a ticket')
    if (is_client) throw refused('client', 'The client of the ticket gets its answers anyway')
    if (is_staff) throw refused('staff', 'A colleague watches a ticket instead')
    if (undeliverable !== null) {
      const code = deliveryReasonOf(undeliverable_status, undeliverable)
      throw refused('undeliverable', `E-mails to this address are not delivered (${undeliverable})`, code)
    }
    if (count >= config.MAX_FOLLOWERS) {
      throw TooManyFollowers({
        message: `At most ${config.MAX_FOLLOWERS} people can follow a ticket`,
        errors: ['email']
      })
    }
    const known = name === '' ? await nameOfClient(db, email) : name
    const [follower] = await insertFollower(db, { ticket: ticket.id, email, name: known, now })
    return { kind: 'ticket.follower_added', after: { follower_id: follower!.id } }
  })
  return await followersOf(services.db, id)
}

/** Removes a follower of a ticket. Throws `FollowerNotFound`, and what `changeTicket` does. */
export async function endFollower(services: ActServices, change: Change, followerId: number): Promise<Follower[]> {
  const { id } = await changeTicket(services, change, async (act, ticket) => {
    if (!(await removeFollower(act, ticket.id, followerId, 'staff'))) throw FollowerNotFound()
    return undefined
  })
  return await followersOf(services.db, id)
}

function refused(cause: Why['cause'], message: string, reason_code: Why['reason_code'] = null) {
  const data: Why = { cause, reason_code }
  return FollowerRefused({ message, errors: ['email'], data })
}

async function nameOfClient(db: Db, email: string): Promise<string> {
  const client = await clientByEmail(db, email)
  return client ? `${client.first_name} ${client.last_name}` : ''
}
