import { accountName } from '../../../core/actor.ts'
import { admits, restrictionOf } from '../../../core/endpoint.ts'
import type { Services } from '../../../core/services.ts'
import { staffActorOf } from '../../../core/sessions/session-of.ts'
import type { FileRoute } from '../../../kit/file-routes.ts'
import { ReportExportNotFound, reportCsv, reportExportAt } from '../report-export.ts'
import { reportAccess } from '../report-schemas.ts'

/** Serves the file of a link from a report with `format: csv`. */
export const reportExportFile: FileRoute<Services> = {
  path: '/exports/reports',
  async find(services, { query, isBy }) {
    const link = reportExportAt(services, query)
    const actor = link && (await staffActorOf(services.db, { session: link.session, account: link.staff }))
    if (!actor || restrictionOf(actor) || !admits(reportAccess, actor)) throw ReportExportNotFound()
    isBy(accountName(actor))
    const { report, body } = link.exported
    return {
      type: 'text/csv; charset=utf-8',
      name: `${report}-${body.from}-${body.to}.csv`,
      content: await reportCsv(services, actor, link.exported)
    }
  }
}
