import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPage, protectedPages } from '../protected-pages.tsx'
import { rootRoute } from '../root-route.ts'
import { auditFilterOf } from './audit/audit-search.ts'

const strings = () => loadStrings('admin', 'account')
const page = protectedPages(strings)

const staff = page('/staff', pageAccess.staff, () => import('./staff/staff-page.tsx'), 'StaffPage')

const member = createRoute(staff, '/$staffId', {
  component: protectedPage(
    pageAccess.member,
    lazyRouteComponent(() => import('./staff/staff-detail.tsx'), 'StaffDetail')
  )
})

const settings = createRoute(rootRoute, '/settings', {
  beforeLoad: strings,
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage')
})

/** `you` or `emails`: a part of the same page. */
const settingsPart = createRoute(settings, '/$part', {})

const templates = '/settings/email-templates'

export const adminRoutes = [
  staff.addChildren([member]),
  page('/departments', pageAccess.departments, () => import('./departments/departments-page.tsx'), 'DepartmentsPage'),
  page('/tags', pageAccess.tags, () => import('./tags/tags-page.tsx'), 'TagsPage'),
  page('/canned', pageAccess.canned, () => import('./canned/canned-page.tsx'), 'CannedPage', {
    validateSearch: ({ reply }): { reply?: number | 'new' } =>
      reply === 'new' || Number.isInteger(reply) ? { reply: reply as number } : {}
  }),
  settings.addChildren([settingsPart]),
  page(templates, pageAccess.admins, () => import('./email-templates/templates-page.tsx'), 'EmailTemplatesPage'),
  page(
    `${templates}/$name`,
    pageAccess.admins,
    () => import('./email-templates/template-page.tsx'),
    'EmailTemplatePage',
    {
      validateSearch: ({ language }): { language: 'en' | 'de' } => ({ language: language === 'de' ? 'de' : 'en' })
    }
  ),
  page('/webhooks', pageAccess.admins, () => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  page('/webhooks/$webhookId', pageAccess.admins, () => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  page('/audit', pageAccess.admins, () => import('./audit/audit-page.tsx'), 'AuditPage', {
    beforeLoad: () => loadStrings('admin', 'account', 'audit'),
    validateSearch: auditFilterOf
  }),
  page('/counts', pageAccess.counts, () => import('./counts-page.tsx'), 'CountsPage'),
  page('/trash', pageAccess.trash, () => import('./trash-page.tsx'), 'TrashPage'),
  page('/start', pageAccess.admins, () => import('./onboarding/onboarding-page.tsx'), 'OnboardingPage')
]
