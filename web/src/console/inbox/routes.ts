import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute, redirect } from '../navigation.ts'
import { rootRoute } from '../root-route.ts'
import { InboxPage } from './inbox-page.tsx'
import { queueSearchOf } from './queue-search.ts'

const view = createRoute(rootRoute, '/$view', {
  validateSearch: queueSearchOf,
  beforeLoad: () => loadStrings('inbox'),
  component: InboxPage
})

/** The ticket pane; the search page also uses it. */
const threadPane = () => import('../ticket/thread-pane.tsx')

/** The open ticket beside the list of its view, or in place of it on phones. */
const ticket = createRoute(view, '/$ticket', {
  beforeLoad: () => loadStrings('thread', 'links', 'side', 'authentication', 'delivery'),
  component: lazyRouteComponent(threadPane, 'ThreadPane')
})

/** `/desk` leads to the tickets; on a new desk it leads admins to the first steps. */
const home = createRoute(rootRoute, '/', {
  beforeLoad: async () => {
    const { shouldShowFirstSteps } = await import('../admin/overview/should-show-first-steps.ts')
    if (await shouldShowFirstSteps()) return redirect({ to: '/admin/overview' })
    return redirect({ to: '/$view', params: { view: 'all' } })
  }
})

export const inboxRoutes = [home, view.addChildren([ticket])]
