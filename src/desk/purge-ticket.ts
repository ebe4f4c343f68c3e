import { sql } from 'kysely'
import type { StaffActor } from '../actor.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import { failure } from '../kit/errors.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Services } from '../services.ts'
import type { Origin } from '../tickets/add-message.ts'
import type { TicketRef } from '../tickets/words.ts'
import { heldAlone, holdClientOf } from './held-ticket.ts'
import { deskSight } from './queue.ts'
import { countTickets } from './trash.ts'

export const OtherTicketNumber = failure(400, 'This is not the number of the ticket that is to be purged')

interface Purge {
  ticketNumber: string
  expectedVersion: number | undefined
}

/**
 * Removes a ticket for good, from the trash or not, with all that was merged into it, and its files once the rows are gone. Its
 * number has to be said again: `OtherTicketNumber`. Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`.
 */
export async function purgeTicket(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'files' | 'log'>,
  actor: StaffActor,
  caller: Origin,
  ref: TicketRef,
  { ticketNumber, expectedVersion }: Purge
): Promise<{ purged_id: number; ticket_number: string; files: number }> {
  const { db, files, log } = services
  const sight = { ...deskSight(actor), trash: 'too' } as const
  const { ticket, paths } = await transaction(db, async db => {
    await holdClientOf(db, sight, ref)
    const ticket = await heldAlone(db, actor, sight, ref, expectedVersion)
    const { id, client_id, ticket_number, message_count, attachment_count } = ticket
    if (ticketNumber.toUpperCase() !== ticket_number) throw OtherTicketNumber({ errors: ['ticket_number'] })

    const attachments = await filesOf(db, { id })
    const parts = await removeParts(db, { id })
    if (ticket.trashed_at === null) await countTickets(db, { client: client_id, more: -parts.length })
    const before = { ticket_number, client_id, message_count, attachment_count }
    await record(services, db, doerOf(actor, caller), {
      action: 'ticket.purged',
      target: { type: 'ticket', id },
      before
    })
    return { ticket, paths: attachments.map(({ file_path }) => ({ path: file_path })) }
  })
  try {
    await files.discard(paths)
  } catch (error) {
    // No row names them any more: the next sweep takes what is left.
    log.warn({ err: error, files: paths.length }, 'Files of a purged ticket are left to the sweep')
  }
  return { purged_id: ticket.id, ticket_number: ticket.ticket_number, files: paths.length }
}

/** Those of the threads and of the notes. */
const filesOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('ticket_attachments')
    .where(sql<boolean>`ticket_id = any(array(${partsOf(db, p)})) or note_id = any(array(${notesOf(db, p)}))`)
    .select('file_path')
)

function partsOf(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('tickets')
    .where(({ or, eb }) => or([eb('id', '=', id), eb('merged_into_id', '=', id)]))
    .select('id')
}

function notesOf(db: Db, p: { id: number }) {
  return db.selectFrom('ticket_notes').where('ticket_id', 'in', partsOf(db, p)).select('id')
}

const removeParts = prepared((db, p: { id: number }) =>
  db
    .deleteFrom('tickets')
    .where(({ or, eb }) => or([eb('id', '=', p.id), eb('merged_into_id', '=', p.id)]))
    .returning('id')
)
