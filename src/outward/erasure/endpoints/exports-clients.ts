import { accountName } from '../../../core/actor.ts'
import { restrictionOf } from '../../../core/endpoint.ts'
import type { Services } from '../../../core/services.ts'
import { staffActorOf } from '../../../core/sessions/session-of.ts'
import type { FileRoute } from '../../../kit/file-routes.ts'
import { exportClient, NoSuchExport } from '../export-client.ts'
import { exportLinkAt } from '../export-links.ts'

/** The archive behind the link of clients/export. */
export const clientExportFile: FileRoute<Services> = {
  path: '/exports/clients/:id',
  async find(services, { params, query, isBy }) {
    const link = exportLinkAt(services, params.id!, query)
    const actor = link && (await staffActorOf(services.db, { session: link.session, account: link.staff }))
    if (!actor || restrictionOf(actor)) throw NoSuchExport()
    isBy(accountName(actor))
    return {
      type: 'application/gzip',
      name: `client-${link.client}.tar.gz`,
      content: await exportClient(services, actor, link.client)
    }
  }
}
