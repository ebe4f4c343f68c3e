import type { DataOf } from '@deskline/client'
import { type Key, t } from '../lib/strings.ts'

type Reason = NonNullable<DataOf<'/api/admin/clients/deliverability'>['undeliverable']>['reason_code']

/** For `other`, the text of the mail server is more precise. */
const reasonKeys: Record<Exclude<Reason, 'other'>, Key> = {
  mailbox_full: 'delivery.mailbox_full',
  unknown_address: 'delivery.unknown_address',
  unknown_domain: 'delivery.unknown_domain',
  mailbox_disabled: 'delivery.mailbox_disabled',
  too_large: 'delivery.too_large',
  spam: 'delivery.spam',
  refused: 'delivery.refused',
  not_reached: 'delivery.not_reached',
  not_in_time: 'delivery.not_in_time',
  temporary: 'delivery.temporary'
}

/** Why an e-mail was not delivered, in the reader's language if known, else in the server's words. */
export function deliveryReasonText(code: Reason | null, said: string | null): string {
  return code !== null && code !== 'other' && Object.hasOwn(reasonKeys, code) ? t(reasonKeys[code]) : (said ?? '')
}
