import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { ReportBody, ReportLink, reportAccess, reportOf, timeValues } from '../report-schemas.ts'

/** From the opening to the last closing: mean, median and 90th percentile (N3). `format: csv` answers a link to the same as a file. */
export const reportResolution = endpoint({
  path: '/api/admin/reports/resolution',
  summary: 'Report how long the resolution took',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([reportOf(timeValues), ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) => await answerReport(services, session, actor, 'resolution', body)
})
