import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import type { UndeliverableAddressRow } from '../../core/tables/mails.ts'
import { Flag, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { clearAddress, undeliverableAddress } from '../../mail/outbox/undeliverable-addresses.ts'
import { deliveryReasonOf, deliveryReasons } from '../../platform/mail-reading/bounce-reasons.ts'
import { lockedClient, managedClient } from './managed-client.ts'

/** An address to which e-mails could not be delivered. */
export const UndeliverableView = Type.Object({
  // 1: no further e-mails are sent there.
  is_stopped: Flag(),
  reason: OutputText('no such address'),
  reason_code: OneOf(deliveryReasons, 'unknown_address'),
  status: Nullable(OutputText('5.1.1')),
  bounces: Type.Integer({ minimum: 1, examples: [1] }),
  last_at: Timestamp()
})

/** The delivery problems of a client's address; null: none known. */
export const Undeliverable = Nullable(UndeliverableView)

/** Whether e-mails reach a client, and their language. Throws `ClientNotFound`. */
export async function deliverabilityOf(db: Db, id: number) {
  const { email, language } = await managedClient(db, id)
  return { email, language, undeliverable: undeliverableView(await undeliverableAddress(db, email)) }
}

/** Resumes e-mails to a client whose address was stopped; does nothing if it was not. Throws `ClientNotFound`. */
export async function resumeDelivery(services: ActServices, actor: StaffActor, caller: Origin, id: number) {
  return await act(services, { actor, caller }, async act => {
    const { email } = await lockedClient(act.db, id)
    if (await clearAddress(act.db, email)) {
      act.happened({ kind: 'client.address_cleared', subject: { type: 'client', id } })
    }
    return { email, undeliverable: null }
  })
}

function undeliverableView(row: UndeliverableAddressRow | undefined): Static<typeof Undeliverable> {
  if (!row) return null
  const { is_permanent, reason, status, bounces, last_at } = row
  const reason_code = deliveryReasonOf(status, reason)
  return { is_stopped: bit(is_permanent), reason, reason_code, status, bounces, last_at: timestamp(last_at) }
}
