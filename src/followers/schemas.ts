import { type Static, Type } from 'typebox'
import { failure } from '../kit/errors.ts'
import { Id, Nullable, OneOf, Shown, Timestamp } from '../kit/schemas.ts'
import { timestamp } from '../lib/time.ts'
import { deliveryReasonOf, deliveryReasons } from '../platform/mail-reading/bounce-reasons.ts'
import type { Follower } from './followers.ts'

export const FollowerNotFound = failure(404, 'follower_not_found', 'There is no such follower of this ticket')

/** Somebody who gets the answers of a ticket beside its client, as the client sees them. */
export const FollowerName = Type.Object({ id: Id(), name: Shown('Grace Hopper'), email: Shown('grace@example.com') })

/** The same as staff see them. */
export const FollowerView = Type.Object({
  ...FollowerName.properties,
  // By whose mail they came, or that staff have added them.
  added_by: OneOf(['client', 'follower', 'staff']),
  // How sure it was who had written the mail by which they came; null where staff have added them.
  sender_verdict: Nullable(OneOf(['pass', 'fail', 'none', 'unknown'], 'none')),
  // Why e-mails are not sent there any more.
  undeliverable: Nullable(Shown('no such address')),
  undeliverable_code: Nullable(OneOf(deliveryReasons, 'unknown_address')),
  created_at: Timestamp()
})

export function followerView({ undeliverable_status, created_at, ...follower }: Follower): Static<typeof FollowerView> {
  const { undeliverable } = follower
  const undeliverable_code = undeliverable === null ? null : deliveryReasonOf(undeliverable_status, undeliverable)
  return { ...follower, undeliverable_code, created_at: timestamp(created_at) }
}
