import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadStrings } from '../../lib/strings.ts'
import { root } from '../root.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
      text(next) ? { next: String(next) } : {},
    component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage')
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot',
    component: lazyRouteComponent(() => import('./forgot-page.tsx'), 'ForgotPage')
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset',
    component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage')
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/second-factor',
    beforeLoad: () => loadStrings('account'),
    component: lazyRouteComponent(() => import('./second-factor-page.tsx'), 'SecondFactorPage')
  })
]
