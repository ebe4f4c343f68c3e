import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, TooManyFiles } from '../../../kit/errors.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { NoteView } from '../../ticket/desk-schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { Message, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { markPresentOnWrite } from '../presence.ts'
import { writeNote } from '../write-note.ts'

/** Adds a note; clients never see it or its files. */
export const noteDeskTicket = endpoint({
  path: '/api/admin/tickets/note',
  aliases: ['/api/admin/tickets/:id/note'],
  summary: 'Add an internal note to a ticket',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, note: Message, format: Format, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  files: true,
  status: 201,
  data: Type.Object({ note: NoteView }),
  errors: [TicketNotFound, TicketMerged, VersionConflict, FileRefused, FileTooLarge, TooManyFiles],
  async handle({ body, files, actor, caller, services }) {
    const given = { note: body.note, format: body.format, expectedVersion: body.expected_version }
    const note = await writeNote(services, actor, caller, body.id, given, files)
    await markPresentOnWrite(services, actor, note.ticket_id)
    return { message: 'Note added', data: { note } }
  }
})
