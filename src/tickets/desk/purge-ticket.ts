import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { DeskActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { Id } from '../../kit/schemas.ts'
import { removeFiles } from '../attachments/remove-files.ts'
import { lockClientOf, lockedUnmerged, lockedWithMerged, ticketReference } from '../ticket/locked-ticket.ts'
import { TicketNumber, type TicketRef } from '../ticket/schemas.ts'
import { deskVisibility } from '../ticket/visibility.ts'

/** The tickets merged into this one, which are deleted with it: errors and the response name them. */
export const MergedSources = Type.Array(Type.Object({ id: Id(), ticket_number: TicketNumber }))

const GoesAlong = Type.Object({ merged_sources: MergedSources })

export const OtherTicketNumber = failure(
  400,
  'ticket_number_differs',
  'This is not the number of the ticket to purge',
  GoesAlong
)
export const NotInTrash = failure(
  409,
  'not_in_trash',
  'Only tickets in the trash can be purged: delete the ticket first',
  GoesAlong
)

interface Purge {
  ticketNumber: string
  expectedVersion: number | undefined
}

interface Purged {
  purged_id: number
  ticket_number: string
  merged_sources: Static<typeof MergedSources>
  files: number
}

/**
 * Permanently deletes a ticket in the trash with all that was merged into it, and then its files. Its number has to be repeated:
 * `OtherTicketNumber`. Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`, `NotInTrash`.
 */
export async function purgeTicket(
  services: ActServices & Pick<Services, 'events' | 'files' | 'log'>,
  actor: DeskActor,
  caller: Origin,
  ref: TicketRef,
  { ticketNumber, expectedVersion }: Purge
): Promise<Purged> {
  const visibility = { ...deskVisibility(actor), trash: 'too' } as const
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const seen = await lockClientOf(db, visibility, ref)
    const parts = await lockedWithMerged(db, [seen.id], { toRemove: true })
    const ticket = await lockedUnmerged(db, actor, visibility, ref, expectedVersion)
    const { id, client_id, ticket_number, message_count, attachment_count } = ticket
    const merged_sources = parts.filter(part => part.merged_into_id === id).map(ticketReference)
    const data = { merged_sources }
    if (ticketNumber.toUpperCase() !== ticket_number) throw OtherTicketNumber({ errors: ['ticket_number'], data })
    if (ticket.trashed_at === null) throw NotInTrash({ data })

    // Its events lose their texts: pending ones are sequenced into the audit log first.
    await services.events.sequenceWithin(db)
    const paths = (await filesOf(db, { id })).map(({ file_path }) => file_path)
    await removeParts(db, { id })
    const before = {
      ticket_number,
      client_id,
      message_count,
      attachment_count,
      ...(merged_sources.length > 0 ? data : {})
    }
    act.happened({ kind: 'ticket.purged', ticket: id, clientId: client_id, before })
    act.afterCommit(db => removeSafely({ ...services, db }, paths))
    return { purged_id: id, ticket_number, merged_sources, files: paths.length }
  })
}

async function removeSafely(services: Pick<Services, 'db' | 'files' | 'log'>, paths: string[]): Promise<void> {
  try {
    await removeFiles(services, paths)
  } catch (error) {
    // No row names these files any more: the next sweep removes the rest.
    services.log.warn({ err: error, files: paths.length }, 'Files of a purged ticket are left to the nightly cleanup')
  }
}

/** The files of the threads and of the notes. */
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
  db.deleteFrom('tickets').where(({ or, eb }) => or([eb('id', '=', p.id), eb('merged_into_id', '=', p.id)]))
)
