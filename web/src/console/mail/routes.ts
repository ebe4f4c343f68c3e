import { loadStrings } from '../../lib/strings.ts'
import { parseSearch } from '../../router/urls.ts'
import type { Target } from '../addresses.ts'
import { createRoute, redirect } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPages } from '../protected-pages.tsx'
import { rootRoute } from '../root-route.ts'
import { heldSearchOf } from './held-search.ts'
import { logSearchOf } from './log-search.ts'

const page = protectedPages(() => loadStrings('held'))

const log = page('/mail/log', pageAccess.mail, () => import('./mail-log-page.tsx'), 'MailLogPage', {
  validateSearch: logSearchOf,
  beforeLoad: () => loadStrings('mail', 'held', 'authentication', 'delivery')
})

/** Held mail was a page of its own. */
function formerly(path: '/held-mail' | '/held-mail/blocked' | '/held-mail/$mailId' | '/mail') {
  return createRoute(rootRoute, path as '/mail', { beforeLoad: ({ href }) => redirect(heldFormerly(href)) })
}

function heldFormerly(href: string): Target {
  const { pathname, search } = new URL(href, location.origin)
  const part = pathname.split('/')[3]
  if (part === 'blocked') return { to: '/mail/blocked' }
  return part
    ? { to: '/mail/held/$mailId', params: { mailId: part } }
    : { to: '/mail/held', search: parseSearch(search) }
}

export const mailRoutes = [
  page('/mail/held', pageAccess.mail, () => import('./held-mail-page.tsx'), 'HeldMailPage', {
    validateSearch: heldSearchOf
  }),
  page('/mail/held/$mailId', pageAccess.mail, () => import('./held-mail-detail.tsx'), 'HeldMailDetail', {
    beforeLoad: () => loadStrings('held', 'authentication')
  }),
  // The opened row has an address, below that of the list around it.
  log.addChildren([createRoute(log, '/$mailId', {})]),
  page('/mail/blocked', pageAccess.mail, () => import('./blocked-page.tsx'), 'BlockedPage'),
  formerly('/mail'),
  formerly('/held-mail'),
  formerly('/held-mail/blocked'),
  formerly('/held-mail/$mailId')
]
