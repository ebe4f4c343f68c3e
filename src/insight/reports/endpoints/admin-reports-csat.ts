import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { csatValues, ReportBody, ReportLink, reportAccess, reportOf } from '../report-schemas.ts'

/** Ratings of clients, by the day of the first rating. `format: csv` answers a link to the same as a file. */
export const reportCsat = endpoint({
  path: '/api/admin/reports/csat',
  summary: 'Report how satisfied clients were',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([reportOf(csatValues), ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) => await answerReport(services, session, actor, 'csat', body)
})
