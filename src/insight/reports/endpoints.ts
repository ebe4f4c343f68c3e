import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { reportAgents } from './endpoints/admin-reports-agents.ts'
import { reportBacklog } from './endpoints/admin-reports-backlog.ts'
import { reportCsat } from './endpoints/admin-reports-csat.ts'
import { defineReports } from './endpoints/admin-reports-definitions.ts'
import { reportFirstResponse } from './endpoints/admin-reports-first-response.ts'
import { reportResolution } from './endpoints/admin-reports-resolution.ts'
import { reportSla } from './endpoints/admin-reports-sla.ts'
import { listReportTickets } from './endpoints/admin-reports-tickets.ts'
import { reportVolume } from './endpoints/admin-reports-volume.ts'
import { showWall } from './endpoints/admin-reports-wall.ts'

export const reportsEndpoints: readonly AnyEndpoint[] = [
  reportVolume,
  reportFirstResponse,
  reportResolution,
  reportBacklog,
  reportSla,
  reportCsat,
  reportAgents,
  defineReports,
  listReportTickets,
  showWall
]
