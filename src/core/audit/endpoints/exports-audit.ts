import type { FileRoute } from '../../../kit/file-routes.ts'
import { accountName } from '../../actor.ts'
import { admits, restrictionOf } from '../../endpoint.ts'
import type { Services } from '../../services.ts'
import { staffActorOf } from '../../sessions/session-of.ts'
import { AuditExportNotFound, auditExport, auditExportAt } from '../audit-export.ts'

/** Serves the file of a link from `audit/export`. */
export const auditExportFile: FileRoute<Services> = {
  path: '/exports/audit',
  async find(services, { query, isBy }) {
    const link = auditExportAt(services, query)
    const actor = link && (await staffActorOf(services.db, { session: link.session, account: link.staff }))
    if (!actor || restrictionOf(actor) || !admits('admin', actor)) throw AuditExportNotFound()
    isBy(accountName(actor))
    return {
      type: 'text/csv; charset=utf-8',
      name: 'audit-log.csv',
      content: auditExport(services, link.filter)
    }
  }
}
