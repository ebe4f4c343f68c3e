import { type Static, Type } from 'typebox'
import { failure } from '../../kit/errors.ts'
import { Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { deliveryReasonOf, deliveryReasons } from '../../platform/mail-reading/bounce-reasons.ts'
import type { Follower } from './followers.ts'

export const FollowerNotFound = failure(404, 'follower_not_found', 'There is no such follower of this ticket')

/** A follower as the client sees them: somebody who gets the replies of a ticket beside its client. */
export const FollowerName = Type.Object({
  id: Id(),
  name: OutputText('Grace Hopper'),
  email: OutputText('grace@example.com')
})

/** The same for staff. */
export const FollowerView = Type.Object({
  ...FollowerName.properties,
  // Whose e-mail added them, or that staff did.
  added_by: OneOf(['client', 'follower', 'staff']),
  // The authentication verdict of the e-mail that added them; null if staff did.
  sender_verdict: Nullable(OneOf(['pass', 'fail', 'none', 'unknown'], 'none')),
  // Why no more e-mails are sent to them.
  undeliverable: Nullable(OutputText('no such address')),
  undeliverable_code: Nullable(OneOf(deliveryReasons, 'unknown_address')),
  created_at: Timestamp()
})

export function followerView({ undeliverable_status, created_at, ...follower }: Follower): Static<typeof FollowerView> {
  const { undeliverable } = follower
  const undeliverable_code = undeliverable === null ? null : deliveryReasonOf(undeliverable_status, undeliverable)
  return { ...follower, undeliverable_code, created_at: timestamp(created_at) }
}
