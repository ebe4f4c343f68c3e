import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { countArticleAnswer } from '../../../core/rate-limits/use-limits.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { maxRead, recordRead } from '../read-before-writing.ts'

/** Says which articles the client has read before writing this ticket. Those that they may not see are left out; a ticket has ten at most. */
export const sayRead = endpoint({
  path: '/api/kb/read',
  summary: 'Say which articles were read before a ticket was written',
  access: 'client',
  about: { tickets: ['ticket_id'] },
  body: Type.Object({
    ticket_id: TicketRef,
    article_ids: Type.Array(Id(12), { minItems: 1, maxItems: maxRead, examples: [[12, 7]] })
  }),
  errors: [TicketNotFound, TooManyAttempts],
  async handle({ body, actor, caller, services }) {
    countArticleAnswer(services, caller.ip)
    await recordRead(services, actor, caller, body)
    return { message: 'Noted' }
  }
})
