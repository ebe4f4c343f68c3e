import { loadStrings } from '../../lib/strings.ts'
import { access } from '../admin/access.ts'
import { guardedPages } from '../admin/guarded.tsx'
import { heldSearchOf } from './held-search.ts'

const page = guardedPages(() => loadStrings('held'))

export const mailRoutes = [
  page('/held-mail', access.heldMail, () => import('./held-mail-page.tsx'), 'HeldMailPage', {
    validateSearch: heldSearchOf
  }),
  page('/held-mail/blocked', access.heldMail, () => import('./blocked-page.tsx'), 'BlockedPage'),
  page('/held-mail/$mailId', access.heldMail, () => import('./held-mail-detail.tsx'), 'HeldMailDetail', {
    beforeLoad: () => loadStrings('held', 'authentication')
  })
]
