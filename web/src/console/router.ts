import { createRouter } from '@tanstack/react-router'
import { inboxRoutes } from './inbox/routes.ts'
import { root } from './root.ts'
import { sessionRoutes } from './session/routes.ts'

export const router = createRouter({
  routeTree: root.addChildren([...sessionRoutes, ...inboxRoutes]),
  basepath: '/desk',
  defaultPreload: 'intent',
  scrollRestoration: true
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
