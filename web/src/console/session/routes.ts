import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../root.ts'

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage')
  })
]
