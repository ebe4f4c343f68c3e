import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id, IsoTime, Nullable, OutputText } from '../../../kit/schemas.ts'
import { Status } from '../../../tickets/ticket/schemas.ts'
import { reportExportLink } from '../report-export.ts'
import { ReportLink, reportAccess } from '../report-schemas.ts'
import { behindQuestion, TicketsBody, ticketsBehind } from '../tickets-behind.ts'

const Behind = Type.Object({
  id: Id(),
  ticket_number: Nullable(OutputText('TKT-000001')),
  subject: Nullable(OutputText('The printer is on fire')),
  status: Nullable(Status),
  count: Type.Integer({ minimum: 1, examples: [1], description: 'How often the ticket counts in the figure.' }),
  at: IsoTime(),
  seconds: Nullable(Type.Integer({ minimum: 0, examples: [5_400] }))
})

/** The tickets behind a figure of a report that the caller sees, one row each, the newest first (N8). Erased ones have no words. */
export const listReportTickets = endpoint({
  path: '/api/admin/reports/tickets',
  summary: 'List the tickets behind a figure of a report',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: TicketsBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([
    Type.Object({ tickets: Type.Array(Behind), next_cursor: Nullable(OutputText('Mjk')) }),
    ReportLink
  ]),
  errors: [Forbidden],
  async handle({ body, session, actor, services }) {
    if (body.format !== 'csv') return { message: 'Tickets', data: await ticketsBehind(services, actor, body) }
    await behindQuestion(services.db, actor, body)
    return { message: 'Link signed', data: reportExportLink(services, session, { report: 'tickets', body }) }
  }
})
