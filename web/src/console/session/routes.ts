import { loadStrings } from '../../lib/strings.ts'
import { root } from '../root.ts'
import { createRoute, lazyRouteComponent } from '../router/routes.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const strings = () => loadStrings('session')

export const sessionRoutes = [
  createRoute(root, '/sign-in', {
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
      text(next) ? { next: String(next) } : {},
    beforeLoad: strings,
    component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage')
  }),
  createRoute(root, '/forgot', {
    beforeLoad: strings,
    component: lazyRouteComponent(() => import('./forgot-page.tsx'), 'ForgotPage')
  }),
  createRoute(root, '/reset', {
    beforeLoad: strings,
    component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage')
  }),
  createRoute(root, '/second-factor', {
    beforeLoad: () => loadStrings('session', 'account'),
    component: lazyRouteComponent(() => import('./second-factor-page.tsx'), 'SecondFactorPage')
  })
]
