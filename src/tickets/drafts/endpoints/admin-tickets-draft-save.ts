import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { recipientFields } from '../../followers/recipients.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { DraftGone, saveDraft } from '../drafts.ts'
import { DraftText, DraftView } from '../schemas.ts'

const { signature: _, ...addresses } = recipientFields

/**
 * Keeps the caller's draft of a reply, so that it is there on another machine. Colleagues see that there is one; its text only if the setting
 * `share_drafts` says so. Sending the reply deletes it: saving it afterwards with its version is refused.
 */
export const saveDeskDraft = endpoint({
  path: '/api/admin/tickets/draft/save',
  aliases: ['/api/admin/tickets/:id/draft/save'],
  summary: 'Keep your draft of a reply',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    message: Type.Optional(DraftText),
    format: Format,
    ...addresses,
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ draft: DraftView }),
  errors: [TicketNotFound, VersionConflict, DraftGone],
  async handle({ body: { id, message = '', expected_version, ...recipients }, actor, services }) {
    const draft = await saveDraft(services, actor, id, { message, recipients }, expected_version)
    return { message: 'Draft saved', data: { draft } }
  }
})
