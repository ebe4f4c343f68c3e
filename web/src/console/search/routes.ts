import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute } from '../navigation.ts'
import { rootRoute } from '../root-route.ts'

interface Search {
  q?: string
}

const search = createRoute(rootRoute, '/search', {
  validateSearch: ({ q }: Record<string, unknown>): Search => (q === undefined ? {} : { q: String(q) }),
  beforeLoad: () => loadStrings('clients'),
  component: lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage')
})

/** The open ticket is shown beside the results. */
const ticket = createRoute(search, '/$ticket', {
  beforeLoad: () => loadStrings('thread', 'links', 'authentication', 'delivery'),
  component: lazyRouteComponent(() => import('../ticket/thread-pane.tsx'), 'ThreadPane')
})

export const searchRoutes = [search.addChildren([ticket])]
