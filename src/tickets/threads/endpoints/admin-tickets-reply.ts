import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format, FormattedHtml } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, Forbidden, TooManyFiles } from '../../../kit/errors.ts'
import { Id, Nullable, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { ExpectedVersion, Version, VersionConflict } from '../../../kit/versions.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { recipientsChosenFor, sendingFields } from '../../drafts/recipients-chosen.ts'
import { undoSeconds } from '../../drafts/undo-window.ts'
import { FieldsRequired } from '../../forms/required-fields.ts'
import { TicketBlocked } from '../../links/blocked-tickets.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { AttachmentView, Message, Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { NewMessages, readFields } from '../new-messages.ts'
import { markPresentOnWrite } from '../presence.ts'
import { replyLater, replyToTicket } from '../reply-to-ticket.ts'

/**
 * Replies to a client. Any `status` but `Answered` needs `tickets.edit_status`. With `last_seen_message_id` the reply is refused if
 * somebody else has written since, unless it says `force`. A ticket that another one blocks is closed with `force_close` only,
 * and none without the fields that closing needs. With `undo` it waits for as long as the setting `undo_send_seconds` says: until then it can be taken
 * back (`tickets/reply/undo`), nobody but its writer sees anything of it, and `status` and `version` are those of before.
 */
export const answerDeskTicket = endpoint({
  path: '/api/admin/tickets/reply',
  aliases: ['/api/admin/tickets/:id/reply'],
  summary: 'Reply to a ticket, unless it has messages that the caller has not seen',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    message: Message,
    format: Format,
    status: Type.Optional(Status),
    ...readFields,
    ...sendingFields,
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id' },
  files: true,
  status: 201,
  data: Type.Object({
    message_id: Id(),
    ticket_id: Id(),
    message: OutputText('Please pour water on it.'),
    html: FormattedHtml,
    status: Status,
    version: Version,
    attachments: Type.Array(AttachmentView),
    // Only with `undo`: until then it can be taken back; null if it has gone at once.
    undo_until: Type.Optional(Nullable(Timestamp()))
  }),
  errors: [
    ...[TicketNotFound, TicketMerged, NewMessages, TicketBlocked, FieldsRequired, VersionConflict, Forbidden],
    ...[FileRefused, FileTooLarge, TooManyFiles]
  ],
  async handle({ body, files, actor, caller, services }) {
    const recipients = await recipientsChosenFor(services, actor, body.id, body)
    const reply = { message: body.message, format: body.format, status: body.status, files, recipients }
    const seconds = await undoSeconds(services.db, actor, body.undo)
    if (seconds > 0) {
      const data = await replyLater(services, actor, caller, body.id, reply, body, { seconds })
      await markPresentOnWrite(services, actor, data.ticket_id)
      return { message: 'Reply waits', data }
    }
    const sent = await replyToTicket(services, actor, caller, body.id, reply, body)
    const data = { ...sent, ...(body.undo ? { undo_until: null } : {}) }
    await markPresentOnWrite(services, actor, data.ticket_id)
    return { message: 'Reply added', data }
  }
})
