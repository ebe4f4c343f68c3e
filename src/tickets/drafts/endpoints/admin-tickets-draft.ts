import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Nullable } from '../../../kit/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { draftOf } from '../drafts.ts'
import { DraftView } from '../schemas.ts'

/** The caller's draft of a reply; null without one. */
export const showDeskDraft = endpoint({
  path: '/api/admin/tickets/draft',
  aliases: ['/api/admin/tickets/:id/draft'],
  summary: 'Show your draft of a reply',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ draft: Nullable(DraftView) }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    return { message: 'Draft retrieved', data: { draft: await draftOf(services.db, actor, body.id) } }
  }
})
