import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { answerReport } from '../answer-report.ts'
import { ReportBody, ReportLink, reportAccess, reportOf, slaValues } from '../report-schemas.ts'

/** What became of the promises of SLA policies, by the clock of each (N4). `format: csv` answers a link to the same as a file. */
export const reportSla = endpoint({
  path: '/api/admin/reports/sla',
  summary: 'Report how many SLA promises were met',
  access: reportAccess,
  onlyReads: true,
  answersSecrets: true,
  body: ReportBody,
  synonyms: { deptid: 'department_id' },
  data: Type.Union([reportOf(slaValues), ReportLink]),
  errors: [Forbidden],
  handle: async ({ body, session, actor, services }) => await answerReport(services, session, actor, 'sla', body)
})
