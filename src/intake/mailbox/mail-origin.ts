import type { Origin } from '../../core/audit/audit-actor.ts'
import type { InboundMailRow } from '../../core/tables/mails.ts'

/** Whose events a mail's are in the log. */
export function originOf(
  { id, received_at: receivedAt }: Pick<InboundMailRow, 'id' | 'received_at'>,
  isSilent: boolean
): Origin & { requestId: string } {
  return { ip: null, requestId: `mail-${id}`, isSilent, receivedAt }
}
