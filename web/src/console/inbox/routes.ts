import { loadStrings } from '../../lib/strings.ts'
import { isFirstRun } from '../admin/start/home.ts'
import { root } from '../root.ts'
import { createRoute, lazyRouteComponent, redirect } from '../router/routes.ts'
import { queueSearchOf } from './queue-search.ts'

const view = createRoute(root, '/$view', {
  validateSearch: queueSearchOf,
  beforeLoad: () => loadStrings('inbox'),
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage')
})

/** The thread, which search shows beside its results as well. */
const threadPane = () => import('../thread/thread-pane.tsx')

/** The open ticket stands beside the list of its view, or in place of it on a phone. */
const ticket = createRoute(view, '/$ticket', {
  beforeLoad: () => loadStrings('thread', 'authentication', 'delivery'),
  component: lazyRouteComponent(threadPane, 'ThreadPane')
})

/** Who comes to the desk comes to its tickets; an admin of a new one to its first steps. */
const home = createRoute(root, '/', {
  beforeLoad: async () => {
    if (await isFirstRun()) return redirect({ to: '/start' })
    return redirect({ to: '/$view', params: { view: 'all' } })
  }
})

export const inboxRoutes = [home, view.addChildren([ticket])]
