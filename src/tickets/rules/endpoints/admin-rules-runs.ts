import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable, OutputText, PageLimit, Text } from '../../../kit/schemas.ts'
import { TicketNumber } from '../../ticket/schemas.ts'
import { listedRuns } from '../rule-runs.ts'
import { RuleRunView, runView } from '../run-schemas.ts'
import { withTickets } from '../with-tickets.ts'

const limits = { fallback: 50, max: 200 }

/**
 * What rules did, the newest first, kept for 30 days: of all rules, of one, or on one ticket. `stopped` says why: the rule had run in the chain already
 * (`chain`), the chain was too long (`depth`), or a budget. What did not fit is kept for a day, and only of rules that are watched.
 */
export const listRuleRuns = endpoint({
  path: '/api/admin/rules/runs',
  summary: 'List the runs of rules, also of one or on one ticket',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    rule_id: Type.Optional(Id(7)),
    ticket_id: Type.Optional(Id(104_233)),
    cursor: Type.Optional(Text(20, '88120')),
    limit: Type.Optional(PageLimit(limits))
  }),
  data: Type.Object({
    runs: Type.Array(
      Type.Object({
        ...RuleRunView.properties,
        ticket_number: Nullable(TicketNumber),
        subject: OutputText('It does not start')
      })
    ),
    next_cursor: Nullable(OutputText('88120'))
  }),
  async handle({ body, services: { db } }) {
    const { cursor, limit = limits.fallback, ...filter } = body
    const { runs, next_cursor } = await listedRuns(db, filter, { limit: Math.min(limit, limits.max), cursor })
    return { message: 'Runs', data: { runs: await withTickets(db, runs.map(runView)), next_cursor } }
  }
})
