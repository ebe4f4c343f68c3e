import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { languageOf } from '../../../mail/outbox/localized-email.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { explainedClocks } from '../ticket-sla.ts'
import { ExplainedClock } from '../ticket-sla-schema.ts'

/**
 * The SLA clocks of a ticket, oldest first, each with the policy that it follows, every stretch that counted or did not, and a paragraph that says
 * why it is due when it is. The words are in the language of `Accept-Language`, else in that of the profile.
 */
export const explainTicketSla = endpoint({
  path: '/api/admin/tickets/sla',
  aliases: ['/api/admin/tickets/:id/sla'],
  summary: 'Explain the SLA clocks of a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ clocks: Type.Array(ExplainedClock) }),
  errors: [TicketNotFound],
  async handle({ body, actor, caller, services }) {
    const asked = languageAmong(caller.headers['accept-language'])
    const language = asked ?? (await languageOf(services.db, { population: 'staff', id: actor.id }))
    const clocks = await explainedClocks(services, actor, body.id, language)
    return { message: 'SLA clocks', data: { clocks } }
  }
})
