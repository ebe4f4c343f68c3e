import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, IsoTime, OutputText } from '../../../kit/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { RuleRunView } from '../run-schemas.ts'
import { automationOf } from '../ticket-automation.ts'

const ruleName = OutputText('VIP first')

/**
 * What rules did on a ticket, its newest hundred runs with what was judged and done, and which timers wait for it, the next one first. Conditions are
 * judged again when a timer falls due.
 */
export const showTicketAutomation = endpoint({
  path: '/api/admin/tickets/automation',
  aliases: ['/api/admin/tickets/:id/automation'],
  summary: 'Show what rules did on a ticket, and what they wait for',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    runs: Type.Array(Type.Object({ ...RuleRunView.properties, rule_name: ruleName })),
    timers: Type.Array(Type.Object({ rule_id: Id(7), rule_name: ruleName, due_at: IsoTime() }))
  }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    return { message: 'Automation of the ticket', data: await automationOf(services.db, actor, body.id) }
  }
})
