import { auditEndpoints } from './core/audit/endpoints.ts'
import { calendarsEndpoints } from './core/calendars/endpoints.ts'
import { settingsEndpoints } from './core/settings/endpoints.ts'
import { articlesEndpoints } from './help/articles/endpoints.ts'
import { readingEndpoints } from './help/reading/endpoints.ts'
import { widgetEndpoints } from './help/widget/endpoints.ts'
import { csatEndpoints } from './insight/csat/endpoints.ts'
import { reportsEndpoints } from './insight/reports/endpoints.ts'
import { mailLogEndpoints } from './intake/mail-log/endpoints.ts'
import { mailboxEndpoints } from './intake/mailbox/endpoints.ts'
import { mailboxSetupEndpoints } from './intake/mailbox-setup/endpoints.ts'
import { openFormEndpoints } from './intake/open-form/endpoints.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { emailTemplatesEndpoints } from './mail/email-templates/endpoints.ts'
import { clockEndpoints } from './operation/clock/endpoints.ts'
import { configFileEndpoints } from './operation/config-file/endpoints.ts'
import { healthEndpoints } from './operation/health/endpoints.ts'
import { erasureEndpoints } from './outward/erasure/endpoints.ts'
import { liveEndpoints } from './outward/live/endpoints.ts'
import { webhooksEndpoints } from './outward/webhooks/endpoints.ts'
import { accountEndpoints } from './people/account/endpoints.ts'
import { authEndpoints } from './people/auth/endpoints.ts'
import { clientsEndpoints } from './people/clients/endpoints.ts'
import { departmentsEndpoints } from './people/departments/endpoints.ts'
import { organisationsEndpoints } from './people/organisations/endpoints.ts'
import { passkeyEndpoints } from './people/passkeys/endpoints.ts'
import { resetEndpoints } from './people/reset/endpoints.ts'
import { ssoEndpoints } from './people/sso/endpoints.ts'
import { staffEndpoints } from './people/staff/endpoints.ts'
import { tokensEndpoints } from './people/tokens/endpoints.ts'
import { verificationEndpoints } from './people/verification/endpoints.ts'
import { attachmentsEndpoints } from './tickets/attachments/endpoints.ts'
import { deskEndpoints } from './tickets/desk/endpoints.ts'
import { draftsEndpoints } from './tickets/drafts/endpoints.ts'
import { fieldsEndpoints } from './tickets/fields/endpoints.ts'
import { formsEndpoints } from './tickets/forms/endpoints.ts'
import { linksEndpoints } from './tickets/links/endpoints.ts'
import { macroEndpoints } from './tickets/macros/endpoints.ts'
import { notificationsEndpoints } from './tickets/notifications/endpoints.ts'
import { queueEndpoints } from './tickets/queue/endpoints.ts'
import { rulesEndpoints } from './tickets/rules/endpoints.ts'
import { searchEndpoints } from './tickets/search/endpoints.ts'
import { sendingEndpoints } from './tickets/sending/endpoints.ts'
import { sideConversationEndpoints } from './tickets/side-conversations/endpoints.ts'
import { slaEndpoints } from './tickets/sla/endpoints.ts'
import { snoozeEndpoints } from './tickets/snooze/endpoints.ts'
import { tagsEndpoints } from './tickets/tags/endpoints.ts'
import { threadsEndpoints } from './tickets/threads/endpoints.ts'

/** Every endpoint, as the rooms list their own. */
export const endpoints: readonly AnyEndpoint[] = [
  ...healthEndpoints,
  ...clientsEndpoints,
  ...organisationsEndpoints,
  ...authEndpoints,
  ...passkeyEndpoints,
  ...ssoEndpoints,
  ...resetEndpoints,
  ...verificationEndpoints,
  ...departmentsEndpoints,
  ...threadsEndpoints,
  ...sendingEndpoints,
  ...draftsEndpoints,
  ...queueEndpoints,
  ...deskEndpoints,
  ...linksEndpoints,
  ...sideConversationEndpoints,
  ...snoozeEndpoints,
  ...attachmentsEndpoints,
  ...staffEndpoints,
  ...erasureEndpoints,
  ...accountEndpoints,
  ...tokensEndpoints,
  ...settingsEndpoints,
  ...calendarsEndpoints,
  ...emailTemplatesEndpoints,
  ...tagsEndpoints,
  ...macroEndpoints,
  ...slaEndpoints,
  ...fieldsEndpoints,
  ...formsEndpoints,
  ...rulesEndpoints,
  ...reportsEndpoints,
  ...csatEndpoints,
  ...articlesEndpoints,
  ...readingEndpoints,
  ...widgetEndpoints,
  ...auditEndpoints,
  ...mailboxEndpoints,
  ...mailboxSetupEndpoints,
  ...mailLogEndpoints,
  ...webhooksEndpoints,
  ...liveEndpoints,
  ...notificationsEndpoints,
  ...openFormEndpoints,
  ...searchEndpoints,
  ...clockEndpoints,
  ...configFileEndpoints
]
