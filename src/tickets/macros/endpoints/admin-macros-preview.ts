import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { previewMacro as preview } from '../apply-macro.ts'
import { MacroNotFound } from '../macros.ts'
import { actionFailures, MacroPreviewView, previewView } from '../result-schemas.ts'

/** What applying a macro to a ticket would do now, and its text filled for it. Nothing is done. */
export const previewMacro = endpoint({
  path: '/api/admin/macros/preview',
  summary: 'Preview a macro on a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef, macro_id: Id() }),
  synonyms: { ticket_id: 'id' },
  data: MacroPreviewView,
  errors: [MacroNotFound, TicketNotFound, TicketMerged, ...actionFailures],
  async handle({ body: { id: ref, macro_id: macroId }, actor, caller, services }) {
    const previewed = await preview(services, { actor, caller, ref, macroId })
    return { message: 'Preview of the macro', data: await previewView(services.db, actor, previewed) }
  }
})
