import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { deleteDraft } from '../drafts.ts'

/** Deletes the caller's draft of a reply, if there is one. */
export const deleteDeskDraft = endpoint({
  path: '/api/admin/tickets/draft/delete',
  aliases: ['/api/admin/tickets/:id/draft/delete'],
  summary: 'Delete your draft of a reply',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  errors: [TicketNotFound, VersionConflict],
  async handle({ body, actor, services }) {
    await deleteDraft(services, actor, body.id, body.expected_version)
    return { message: 'Draft deleted' }
  }
})
