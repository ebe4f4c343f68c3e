import type { FastifyInstance } from 'fastify'
import { auditExportFile } from './core/audit/endpoints/exports-audit.ts'
import type { Services } from './core/services.ts'
import { logoFile } from './core/settings/endpoints/logo.ts'
import { helpPages } from './help/pages/endpoints/help-pages.ts'
import { widgetPages } from './help/widget/endpoints/widget-pages.ts'
import { ratingPageRoute } from './insight/csat/endpoints/rating-page-route.ts'
import { reportExportFile } from './insight/reports/endpoints/exports-reports.ts'
import { mailExportFile } from './intake/mail-log/endpoints/exports-mail-log.ts'
import { originalMailFile } from './intake/mailbox/endpoints/uploads-mails.ts'
import { inboundMailRoute } from './intake/mailbox/inbound-route.ts'
import { mailOauthCallback } from './intake/mailbox-setup/endpoints/mail-oauth-callback.ts'
import { confirmTicketPage } from './intake/open-form/endpoints/confirm-ticket-page.ts'
import { serveFiles } from './kit/file-routes.ts'
import { clientExportFile } from './outward/erasure/endpoints/exports-clients.ts'
import { endSignInPage } from './people/auth/endpoints/end-sign-in-page.ts'
import { confirmEmailPage } from './people/clients/endpoints/confirm-email-page.ts'
import { ssoRoutes } from './people/sso/endpoints/sso-routes.ts'
import { attachmentFile } from './tickets/attachments/endpoints/download.ts'
import { unsubscribePageRoute } from './tickets/notifications/endpoints/unsubscribe-page.ts'

/** What is served besides the endpoints of the API (`endpoints.ts`): files, pages that need no script, and where other services come back to. */
export function plainRoutes(app: FastifyInstance, services: Services): void {
  serveFiles(
    app,
    [attachmentFile, originalMailFile, clientExportFile, auditExportFile, mailExportFile, reportExportFile, logoFile],
    services
  )
  confirmEmailPage(app, services)
  confirmTicketPage(app, services)
  endSignInPage(app, services)
  unsubscribePageRoute(app, services)
  helpPages(app, services)
  widgetPages(app, services)
  ratingPageRoute(app, services)
  inboundMailRoute(app, services)
  mailOauthCallback(app, services)
  ssoRoutes(app, services)
}
