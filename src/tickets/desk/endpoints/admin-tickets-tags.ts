import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { MissingFields } from '../../../kit/errors.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TagRefs } from '../../ticket/desk-schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { UnknownTag } from '../tag-refs.ts'
import { tagTicket } from '../tag-ticket.ts'

/** Replaces the tags of a ticket (`tags`), or adds and removes some; by id or name. */
export const tagDeskTicket = endpoint({
  path: '/api/admin/tickets/tags',
  aliases: ['/api/admin/tickets/:id/tags'],
  summary: 'Change the tags of a ticket',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    tags: Type.Optional(TagRefs),
    add: Type.Optional(TagRefs),
    remove: Type.Optional(TagRefs),
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket: QueueTicket }),
  errors: [TicketNotFound, UnknownTag, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const { id: ref, tags, add, remove, expected_version: expectedVersion } = body
    if (!tags && !add && !remove) {
      throw MissingFields({ message: 'Missing required fields: tags, or add or remove', errors: ['tags'] })
    }
    const ticket = await tagTicket(services, { actor, caller, ref, expectedVersion }, { tags, add, remove })
    return { message: 'Tags changed', data: { ticket } }
  }
})
