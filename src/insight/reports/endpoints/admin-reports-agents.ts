import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { AgentsReport, ReportBody, ReportLink, reportAccess } from '../report-schemas.ts'

/** Replies, closings, first responses and ratings of each member of staff; without `tickets.view_all` only the own. `format: csv` answers a link to the same as a file. */
export const reportAgents = endpoint({
  path: '/api/admin/reports/agents',
  summary: 'Report what each member of staff did',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([AgentsReport, ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) => await answerReport(services, session, actor, 'agents', body)
})
