import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { Count } from '../../ticket/schemas.ts'
import { countsFor } from '../counts.ts'

/** Counts the tickets that the caller sees; closed ones only in saved views that ask for them. */
export const countDeskTickets = endpoint({
  path: '/api/admin/tickets/counts',
  summary: 'Count the tickets of each view',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  data: Type.Object({
    mine: Count,
    unassigned: Count,
    open: Type.Integer({ minimum: 0, examples: [1], description: 'Of every status but Closed, and not snoozed.' }),
    waiting_on_customer: Count,
    customer_reply: Count,
    breaching_soon: {
      ...Count,
      description: 'Less than a quarter of the time is left, or it is late. It stops at 1,000.'
    },
    snoozed: Type.Integer({
      minimum: 0,
      examples: [1],
      description: 'It stops at 1,000. None of the others counts these.'
    }),
    per_department: Type.Array(
      Type.Object({ deptid: Id(), name: OutputText('Technical Support'), open: Count, unassigned: Count })
    ),
    views: Type.Array(
      Type.Object({
        id: Id(),
        count: Type.Integer({
          minimum: 0,
          examples: [1],
          description:
            'The count is exact for filters by status, department and assignment; with other filters it stops at 1,000.'
        })
      })
    )
  }),
  async handle({ actor, services }) {
    return { message: 'Tickets counted', data: await countsFor(services.db, actor, services.clock.now()) }
  }
})
