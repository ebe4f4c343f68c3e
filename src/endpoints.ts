import { auditEndpoints } from './core/audit/endpoints.ts'
import { settingsEndpoints } from './core/settings/endpoints.ts'
import { mailboxEndpoints } from './intake/mailbox/endpoints.ts'
import { openFormEndpoints } from './intake/open-form/endpoints.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { emailTemplatesEndpoints } from './mail/email-templates/endpoints.ts'
import { healthEndpoints } from './operation/health/endpoints.ts'
import { erasureEndpoints } from './outward/erasure/endpoints.ts'
import { liveEndpoints } from './outward/live/endpoints.ts'
import { webhooksEndpoints } from './outward/webhooks/endpoints.ts'
import { accountEndpoints } from './people/account/endpoints.ts'
import { authEndpoints } from './people/auth/endpoints.ts'
import { clientsEndpoints } from './people/clients/endpoints.ts'
import { departmentsEndpoints } from './people/departments/endpoints.ts'
import { resetEndpoints } from './people/reset/endpoints.ts'
import { staffEndpoints } from './people/staff/endpoints.ts'
import { verificationEndpoints } from './people/verification/endpoints.ts'
import { attachmentsEndpoints } from './tickets/attachments/endpoints.ts'
import { cannedEndpoints } from './tickets/canned/endpoints.ts'
import { deskEndpoints } from './tickets/desk/endpoints.ts'
import { notificationsEndpoints } from './tickets/notifications/endpoints.ts'
import { queueEndpoints } from './tickets/queue/endpoints.ts'
import { searchEndpoints } from './tickets/search/endpoints.ts'
import { tagsEndpoints } from './tickets/tags/endpoints.ts'
import { threadsEndpoints } from './tickets/threads/endpoints.ts'

/** Every endpoint, as the rooms list their own. */
export const endpoints: readonly AnyEndpoint[] = [
  ...healthEndpoints,
  ...clientsEndpoints,
  ...authEndpoints,
  ...resetEndpoints,
  ...verificationEndpoints,
  ...departmentsEndpoints,
  ...threadsEndpoints,
  ...queueEndpoints,
  ...deskEndpoints,
  ...attachmentsEndpoints,
  ...staffEndpoints,
  ...erasureEndpoints,
  ...accountEndpoints,
  ...settingsEndpoints,
  ...emailTemplatesEndpoints,
  ...tagsEndpoints,
  ...cannedEndpoints,
  ...auditEndpoints,
  ...mailboxEndpoints,
  ...webhooksEndpoints,
  ...liveEndpoints,
  ...notificationsEndpoints,
  ...openFormEndpoints,
  ...searchEndpoints
]
