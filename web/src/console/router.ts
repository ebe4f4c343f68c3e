import { createRouter } from '../router/router.ts'
import { accountRoutes } from './account/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { clientsRoutes } from './clients/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { organisationsRoutes } from './organisations/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { rootRoute } from './root-route.ts'
import { searchRoutes } from './search/routes.ts'
import { sessionRoutes } from './sign-in/routes.ts'

export const router = createRouter(
  // One on each line, so that parallel changes do not conflict.
  // biome-ignore format: see above.
  rootRoute.addChildren([
    ...inboxRoutes,
    ...adminRoutes,
    ...reportRoutes,
    ...accountRoutes,
    ...clientsRoutes,
    ...organisationsRoutes,
    ...knowledgeRoutes,
    ...mailRoutes,
    ...searchRoutes,
    ...sessionRoutes
  ]),
  '/desk'
)
