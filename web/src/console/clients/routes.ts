import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute } from '../navigation.ts'
import { rootRoute } from '../root-route.ts'

interface Search {
  q?: string
}

export const clientsRoutes = [
  createRoute(rootRoute, '/clients', {
    validateSearch: ({ q }: Record<string, unknown>): Search => (q === undefined ? {} : { q: String(q) }),
    beforeLoad: () => loadStrings('clients', 'account'),
    component: lazyRouteComponent(() => import('./clients-page.tsx'), 'ClientsPage')
  }),
  createRoute(rootRoute, '/clients/$id', {
    beforeLoad: () => loadStrings('clients', 'account', 'delivery'),
    component: lazyRouteComponent(() => import('./client-page.tsx'), 'ClientPage')
  })
]
