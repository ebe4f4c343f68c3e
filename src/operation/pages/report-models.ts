import type { TSchema } from 'typebox'
import { ListedSurvey } from '../../insight/csat/endpoints/admin-csat-list.ts'
import { SurveyView } from '../../insight/csat/surveys.ts'
import { reportAgents } from '../../insight/reports/endpoints/admin-reports-agents.ts'
import { reportBacklog } from '../../insight/reports/endpoints/admin-reports-backlog.ts'
import { reportCsat } from '../../insight/reports/endpoints/admin-reports-csat.ts'
import { defineReports } from '../../insight/reports/endpoints/admin-reports-definitions.ts'
import { reportResolution } from '../../insight/reports/endpoints/admin-reports-resolution.ts'
import { reportSla } from '../../insight/reports/endpoints/admin-reports-sla.ts'
import { listReportTickets } from '../../insight/reports/endpoints/admin-reports-tickets.ts'
import { reportVolume } from '../../insight/reports/endpoints/admin-reports-volume.ts'
import { showWall } from '../../insight/reports/endpoints/admin-reports-wall.ts'
import { CsatValues, ReportAgent, ReportTimes, SlaValues } from '../../insight/reports/report-schemas.ts'
import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { choiceOf, itemOf } from './model-parts.ts'

const reports = {
  Agents: reportAgents,
  Backlog: reportBacklog,
  Csat: reportCsat,
  Sla: reportSla,
  // Of the first response too.
  Times: reportResolution,
  Volume: reportVolume
}

/** A report, what it tells in all, of each day, week or month, and of each group. */
function modelsOf([name, endpoint]: [string, AnyEndpoint]): [string, TSchema][] {
  const report = choiceOf(endpoint, 0)
  const { totals, series, groups } = report.properties as Record<'totals' | 'series' | 'groups', typeof report>
  return [
    [`${name}Report`, report],
    // Models of their own are those of ratings and times.
    ...(['Agents', 'Sla', 'Volume'].includes(name) ? [[`${name}Totals`, totals] as [string, TSchema]] : []),
    [`${name}OfBucket`, series.items],
    [`${name}OfGroup`, groups.items]
  ]
}

/** Those of `apiModels` that are of reports. */
export const reportModels: Record<string, TSchema> = {
  ...Object.fromEntries(Object.entries(reports).flatMap(modelsOf)),
  Rating: SurveyView,
  ListedRating: ListedSurvey,
  ReportAgent,
  ReportCsat: CsatValues,
  ReportDefinition: itemOf(defineReports, 'definitions'),
  ReportTicket: choiceOf(listReportTickets, 0).properties.tickets!.items,
  ReportTimes,
  ReportSla: SlaValues,
  ReportWall: showWall.data!
}
