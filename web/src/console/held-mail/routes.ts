import { loadStrings } from '../../lib/strings.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPages } from '../protected-pages.tsx'
import { heldSearchOf } from './held-search.ts'

const page = protectedPages(() => loadStrings('held'))

export const mailRoutes = [
  page('/held-mail', pageAccess.heldMail, () => import('./held-mail-page.tsx'), 'HeldMailPage', {
    validateSearch: heldSearchOf
  }),
  page('/held-mail/blocked', pageAccess.heldMail, () => import('./blocked-page.tsx'), 'BlockedPage'),
  page('/held-mail/$mailId', pageAccess.heldMail, () => import('./held-mail-detail.tsx'), 'HeldMailDetail', {
    beforeLoad: () => loadStrings('held', 'authentication')
  })
]
