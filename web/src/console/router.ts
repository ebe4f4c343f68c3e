import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from './account/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { clientsRoutes } from './clients/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { root } from './root.ts'
import { searchRoutes } from './search/routes.ts'
import { sessionRoutes } from './session/routes.ts'

export const router = createRouter({
  // One on each line, so that two who add pages are not in each other's way.
  // biome-ignore format: see above.
  routeTree: root.addChildren([
    ...inboxRoutes,
    ...adminRoutes,
    ...accountRoutes,
    ...clientsRoutes,
    ...searchRoutes,
    ...sessionRoutes
  ]),
  basepath: '/desk',
  defaultPreload: 'intent',
  scrollRestoration: true
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
