import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { ReportBody, ReportLink, reportAccess, reportOf, volumeValues } from '../report-schemas.ts'

/** Opened, closed and reopened tickets by day, week or month, and by group. `format: csv` answers a link to the same as a file. */
export const reportVolume = endpoint({
  path: '/api/admin/reports/volume',
  summary: 'Report how many tickets were opened, closed and reopened',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([reportOf(volumeValues), ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) => await answerReport(services, session, actor, 'volume', body)
})
