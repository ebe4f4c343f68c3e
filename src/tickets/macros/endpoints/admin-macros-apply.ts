import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import type { TicketStatus } from '../../../core/tables/tickets.ts'
import { FileTooLarge, Forbidden, TooManyFiles } from '../../../kit/errors.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { recipientsChosenFor, sendingFields } from '../../drafts/recipients-chosen.ts'
import { undoSeconds } from '../../drafts/undo-window.ts'
import { NewMessages, readFields } from '../../threads/new-messages.ts'
import { markPresentOnWrite } from '../../threads/presence.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { Message, Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { applyMacroLater, PlaceholderUnset, previewMacro } from '../apply-macro.ts'
import { MacroNotFound } from '../macros.ts'
import { AppliedMacro, actionFailures, LeftOut, resultViews } from '../result-schemas.ts'

/**
 * Applies a macro to a ticket, as the caller would do the same by hand: all of it, or nothing. Without `send` nothing is done: it is `macros/preview`.
 * Its text, or the `reply` in its place, is sent to the client, unless `without_reply` says so. With `undo` both wait as a reply does.
 */
export const applyMacro = endpoint({
  path: '/api/admin/macros/apply',
  summary: 'Apply a macro to a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    macro_id: Id(),
    send: Type.Optional(BooleanInput(1)),
    reply: Type.Optional(Message),
    format: Format,
    without_reply: Type.Optional(BooleanInput(0)),
    without: Type.Optional(LeftOut),
    status: Type.Optional(
      Type.Unsafe<TicketStatus>({ ...Status, description: 'Of the ticket after the reply, unless the macro sets one.' })
    ),
    ...readFields,
    ...sendingFields,
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id' },
  files: true,
  data: AppliedMacro,
  errors: [
    ...[MacroNotFound, PlaceholderUnset, TicketNotFound, TicketMerged, NewMessages, VersionConflict, Forbidden],
    ...[FileRefused, FileTooLarge, TooManyFiles, ...actionFailures]
  ],
  async handle({ body: { id: ref, macro_id: macroId, without, ...body }, files, actor, caller, services }) {
    const use = { actor, caller, ref, macroId, without }
    if (!body.send) {
      const { ticket_id, results, reply } = await previewMacro(services, use)
      const nothing = { is_done: 0, version: null, status: null, message_id: null } as const
      return {
        message: 'Nothing was sent',
        data: { ticket_id, results: resultViews(results), reply, attachments: [], ...nothing }
      }
    }
    const recipients = await recipientsChosenFor(services, actor, ref, body)
    const sending = { ...body, reply: body.without_reply ? null : body.reply, files, recipients, read: body }
    const seconds = await undoSeconds(services.db, actor, body.undo)
    const { id, results, undo_until, ...sent } = await applyMacroLater(services, use, sending, seconds)
    await markPresentOnWrite(services, actor, id)
    const done = { ticket_id: id, is_done: undo_until === null ? 1 : 0, reply: null, ...sent } as const
    const data = { ...done, results: resultViews(results), ...(body.undo ? { undo_until } : {}) }
    return { message: 'Macro applied', data }
  }
})
