import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { shouldShowOnboarding } from '../admin/onboarding/should-show-onboarding.ts'
import { createRoute, redirect } from '../navigation.ts'
import { rootRoute } from '../root-route.ts'
import { queueSearchOf } from './queue-search.ts'

const view = createRoute(rootRoute, '/$view', {
  validateSearch: queueSearchOf,
  beforeLoad: () => loadStrings('inbox'),
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage')
})

/** The thread, which search shows beside its results as well. */
const threadPane = () => import('../ticket/thread-pane.tsx')

/** The open ticket stands beside the list of its view, or in place of it on a phone. */
const ticket = createRoute(view, '/$ticket', {
  beforeLoad: () => loadStrings('thread', 'authentication', 'delivery'),
  component: lazyRouteComponent(threadPane, 'ThreadPane')
})

/** Who comes to the desk comes to its tickets; an admin of a new one to its first steps. */
const home = createRoute(rootRoute, '/', {
  beforeLoad: async () => {
    if (await shouldShowOnboarding()) return redirect({ to: '/start' })
    return redirect({ to: '/$view', params: { view: 'all' } })
  }
})

export const inboxRoutes = [home, view.addChildren([ticket])]
