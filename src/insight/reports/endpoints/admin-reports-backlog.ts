import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { backlogValues, ReportBody, ReportLink, reportAccess, reportOf } from '../report-schemas.ts'

/** Tickets that were open at the end of each day, week or month. `format: csv` answers a link to the same as a file. */
export const reportBacklog = endpoint({
  path: '/api/admin/reports/backlog',
  summary: 'Report how many tickets were open',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([reportOf(backlogValues), ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) => await answerReport(services, session, actor, 'backlog', body)
})
