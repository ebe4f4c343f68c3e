import { accountName } from '../../../core/actor.ts'
import { restrictionOf } from '../../../core/endpoint.ts'
import type { Services } from '../../../core/services.ts'
import { staffActorOf } from '../../../core/sessions/session-of.ts'
import type { FileRoute } from '../../../kit/file-routes.ts'
import { seesAllTickets } from '../../../tickets/ticket/visibility.ts'
import { MailExportNotFound, mailExport, mailExportAt } from '../export-log.ts'

/** Serves the file of a link from `mail/log/export`. */
export const mailExportFile: FileRoute<Services> = {
  path: '/exports/mail-log',
  async find(services, { query, isBy }) {
    const link = mailExportAt(services, query)
    const actor = link && (await staffActorOf(services.db, { session: link.session, account: link.staff }))
    if (!actor || restrictionOf(actor) || !seesAllTickets(actor)) throw MailExportNotFound()
    isBy(accountName(actor))
    return { type: 'text/csv; charset=utf-8', name: 'mail-log.csv', content: mailExport(services, link.filter) }
  }
}
