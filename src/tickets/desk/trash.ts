import type { DeskActor } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'
import { changeTicketCount } from '../ticket/client-ticket-counts.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import { deskVisibility } from '../ticket/visibility.ts'

/**
 * Moves a ticket to the trash, with all that was merged into it: for its client and in every list it no longer exists. Throws what
 * `changeTicket` does.
 */
export async function trashTicket(services: ActServices, change: Change) {
  const trash = async ({ db, now }: Act, { id, client_id }: LockedTicket) => {
    const parts = await setTrashed(db, { id, trashedAt: now })
    await changeTicketCount(db, { client: client_id, more: -parts.length })
    return { kind: 'ticket.deleted' as const }
  }
  return await changeTicket(services, change, trash, { client: true })
}

/** Restores a ticket from the trash as it was. Throws `TicketNotFound` for one that is not in the trash, and what `changeTicket` does. */
export async function restoreTicket(services: ActServices, change: Change) {
  const restore = async ({ db }: Act, { id, client_id }: LockedTicket) => {
    const parts = await setTrashed(db, { id, trashedAt: null })
    await changeTicketCount(db, { client: client_id, more: parts.length })
    return { kind: 'ticket.restored' as const }
  }
  return await changeTicket(services, change, restore, { visibility: trashVisibility(change.actor), client: true })
}

function trashVisibility(actor: DeskActor) {
  return { ...deskVisibility(actor), trash: 'alone' } as const
}

const setTrashed = prepared((db, p: { id: number; trashedAt: Date | null }) =>
  db
    .updateTable('tickets')
    .where(({ or, eb }) => or([eb('id', '=', p.id), eb('merged_into_id', '=', p.id)]))
    .set({ trashed_at: p.trashedAt })
    .returning('id')
)
