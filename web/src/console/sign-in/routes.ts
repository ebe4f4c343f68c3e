import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute } from '../navigation.ts'
import { rootRoute } from '../root-route.ts'
import { SignInPage } from './sign-in-page.tsx'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const strings = () => loadStrings('session')

export const sessionRoutes = [
  createRoute(rootRoute, '/sign-in', {
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
      text(next) ? { next: String(next) } : {},
    beforeLoad: strings,
    component: SignInPage
  }),
  createRoute(rootRoute, '/forgot', {
    beforeLoad: strings,
    component: lazyRouteComponent(() => import('./forgot-page.tsx'), 'ForgotPage')
  }),
  createRoute(rootRoute, '/reset', {
    beforeLoad: strings,
    component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage')
  }),
  createRoute(rootRoute, '/second-factor', {
    beforeLoad: () => loadStrings('session', 'account'),
    component: lazyRouteComponent(() => import('./second-factor-page.tsx'), 'SecondFactorPage')
  })
]
