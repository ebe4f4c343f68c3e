import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OneOf, OutputText } from '../../../kit/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { DraftNotFound } from '../drafts.ts'
import { takeDraft } from '../take-draft.ts'

/**
 * The text of a reply that a colleague has begun, to go on with: they keep theirs, and the timeline tells who took it over. Only where the setting
 * `share_drafts` shows it.
 */
export const takeDeskDraft = endpoint({
  path: '/api/admin/tickets/draft/take',
  aliases: ['/api/admin/tickets/:id/draft/take'],
  summary: 'Take over the draft of a colleague',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, staff_id: Id(2) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    message: OutputText('Please pour water on'),
    format: OneOf(['plain', 'markdown'])
  }),
  errors: [TicketNotFound, DraftNotFound],
  async handle({ body: { id, staff_id: writer }, actor, caller, services }) {
    return { message: 'Draft taken over', data: await takeDraft(services, { actor, caller, ref: id }, writer) }
  }
})
