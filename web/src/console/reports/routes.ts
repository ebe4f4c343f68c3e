import { loadStrings } from '../../lib/strings.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPages } from '../protected-pages.tsx'
import { behindSearchOf, reportSearchOf } from './report-search.ts'

const page = protectedPages(() => Promise.all([loadStrings('reports'), loadStrings('thread')]))

export const reportRoutes = [
  page('/reports', pageAccess.reports, () => import('./reports-page.tsx'), 'ReportsPage', {
    validateSearch: reportSearchOf
  }),
  page('/reports/mine', pageAccess.reports, () => import('./reports-page.tsx'), 'OwnReportsPage', {
    validateSearch: reportSearchOf
  }),
  page('/reports/tickets', pageAccess.reports, () => import('./report-tickets-page.tsx'), 'ReportTicketsPage', {
    validateSearch: behindSearchOf
  }),
  page('/wall', pageAccess.reports, () => import('./wall-page.tsx'), 'WallPage')
]
