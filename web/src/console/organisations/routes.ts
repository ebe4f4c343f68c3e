import { loadStrings } from '../../lib/strings.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPages } from '../protected-pages.tsx'

const page = protectedPages(() => loadStrings('organisations', 'clients'))

export const organisationsRoutes = [
  page('/organisations', pageAccess.admins, () => import('./organisations-page.tsx'), 'OrganisationsPage'),
  page('/organisations/$id', pageAccess.admins, () => import('./organisation-page.tsx'), 'OrganisationPage')
]
