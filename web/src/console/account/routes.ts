import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute, redirect } from '../navigation.ts'
import { rootRoute } from '../root-route.ts'

export const accountRoutes = [
  createRoute(rootRoute, '/account', {
    // The e-mail switches need the strings of the settings.
    beforeLoad: () => loadStrings('account', 'admin', 'sign-on'),
    component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage')
  }),
  createRoute(rootRoute, '/account/signature', {
    beforeLoad: () => redirect({ to: '/account', search: { part: 'signature' } })
  }),
  createRoute(rootRoute, '/account/tokens', {
    beforeLoad: () => redirect({ to: '/account', search: { part: 'tokens' } })
  })
]
