import { createRouter } from '@tanstack/react-router'
import { root } from './root.ts'
import { sessionRoutes } from './session/routes.ts'

export const router = createRouter({
  routeTree: root.addChildren([...sessionRoutes]),
  basepath: '/desk',
  defaultPreload: 'intent',
  scrollRestoration: true
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
