import { loadStrings } from '../../lib/strings.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPages } from '../protected-pages.tsx'

// The pages read their addresses themselves, so that the console does not begin with the code for it.
const validateSearch = (search: object) => search
const page = protectedPages(() => Promise.all([loadStrings('reports'), loadStrings('thread')]))

export const reportRoutes = [
  page('/reports', pageAccess.reports, () => import('./reports-page.tsx'), 'ReportsPage', { validateSearch }),
  page('/reports/mine', pageAccess.reports, () => import('./reports-page.tsx'), 'OwnReportsPage', { validateSearch }),
  page('/reports/tickets', pageAccess.reports, () => import('./report-tickets-page.tsx'), 'ReportTicketsPage', {
    validateSearch
  }),
  page('/wall', pageAccess.reports, () => import('./wall-page.tsx'), 'WallPage')
]
