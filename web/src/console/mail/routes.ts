import { loadStrings } from '../../lib/strings.ts'
import { access } from '../admin/access.ts'
import { guarded } from '../admin/guarded.tsx'
import { root } from '../root.ts'
import { createRoute, lazyRouteComponent } from '../router/routes.ts'
import { heldSearchOf } from './held-search.ts'

const strings = () => loadStrings('held')

export const mailRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/held-mail',
    validateSearch: heldSearchOf,
    beforeLoad: strings,
    component: guarded(
      access.heldMail,
      lazyRouteComponent(() => import('./held-mail-page.tsx'), 'HeldMailPage')
    )
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/held-mail/blocked',
    beforeLoad: strings,
    component: guarded(
      access.heldMail,
      lazyRouteComponent(() => import('./blocked-page.tsx'), 'BlockedPage')
    )
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/held-mail/$mailId',
    beforeLoad: () => loadStrings('held', 'authentication'),
    component: guarded(
      access.heldMail,
      lazyRouteComponent(() => import('./held-mail-detail.tsx'), 'HeldMailDetail')
    )
  })
]
