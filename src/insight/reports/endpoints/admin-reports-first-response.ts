import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { ReportBody, ReportLink, reportAccess, reportOf, timeValues } from '../report-schemas.ts'

/** From the client's first message to the first reply by a person: mean, median and 90th percentile (N2). `format: csv` answers a link to the same as a file. */
export const reportFirstResponse = endpoint({
  path: '/api/admin/reports/first-response',
  summary: 'Report how long the first response took',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([reportOf(timeValues), ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) =>
    await answerReport(services, session, actor, 'first-response', body)
})
