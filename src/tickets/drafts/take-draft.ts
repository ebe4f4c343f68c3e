import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { answeredTicket, DraftNotFound, storedDraft } from './drafts.ts'

/**
 * The text of the reply that a colleague, `writer`, has begun, as far as the desk shares it. They keep it, and are told by an event of the ticket. Throws
 * `TicketNotFound`, `DraftNotFound`.
 */
export async function takeDraft(
  services: ActServices,
  { actor, caller, ref }: { actor: StaffActor; caller: Origin; ref: TicketRef },
  writer: number
): Promise<{ message: string; format: 'plain' | 'markdown' }> {
  const ticket = await answeredTicket(services.db, actor, ref)
  return await act(services, { actor, caller }, async act => {
    const isShared = (await settingsOf(act.db)).settings.share_drafts === 1
    const [draft] = isShared && writer !== actor.id ? await storedDraft(act.db, { ticket, staff: writer }) : []
    if (!draft) throw DraftNotFound()
    act.happened({ kind: 'ticket.draft_taken', ticket, after: { staff_id: writer } })
    return { message: draft.message, format: draft.recipients.format ?? 'plain' }
  })
}
