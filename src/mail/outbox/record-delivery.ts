import type { Services } from '../../core/services.ts'
import { refusalIn } from '../../platform/mail-reading/bounce.ts'
import { PermanentFailure } from '../../platform/permanent-failure.ts'
import { recordBounce, recordDeliveryState } from './delivery-state.ts'
import type { Failed } from './undeliverable-addresses.ts'

/** Nothing more is sent to this address: servers have said for good that it does not exist. */
export class AddressUndeliverable extends PermanentFailure {
  readonly reason: string
  constructor(reason: string) {
    super(`Not sent: former e-mails to this address were not delivered (${reason})`)
    this.reason = reason
  }
}

type RecordServices = Pick<Services, 'db' | 'clock' | 'log'>

/**
 * Records the result of handing an e-mail over: accepted, delayed or refused. Errors here are logged only, since they must never cause an e-mail
 * to be sent again.
 */
export async function recordDelivery(
  services: RecordServices,
  ref: string,
  outcome: 'sent' | { error: unknown; isLast: boolean; isFirst: boolean }
): Promise<void> {
  try {
    if (outcome === 'sent') await recordDeliveryState(services, ref, 'sent')
    else if (outcome.isLast) await recordBounce(services, ref, failureOf(outcome.error))
    else if (outcome.isFirst) await recordDeliveryState(services, ref, 'delayed')
  } catch (error) {
    services.log.warn({ err: error }, 'The delivery state of an e-mail could not be recorded')
  }
}

/** Only the reason is recorded, nothing against the address: the response is from our own server, which may be misconfigured. */
function failureOf(error: unknown): Failed {
  if (error instanceof AddressUndeliverable) return { status: undefined, reason: error.reason, isPermanent: true }
  if (error instanceof PermanentFailure) return refusalIn(error.message)
  return { status: undefined, reason: 'mail server not reached', isPermanent: false }
}
