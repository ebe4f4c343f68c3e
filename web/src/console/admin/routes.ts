import { loadStrings } from '../../lib/strings.ts'
import { root } from '../root.ts'
import { createRoute, lazyRouteComponent } from '../router/routes.ts'
import { access } from './access.ts'
import { auditFilterOf } from './audit/audit-search.ts'
import { guarded, guardedPages } from './guarded.tsx'

const strings = () => loadStrings('admin', 'account')
const page = guardedPages(strings)

const staff = page('/staff', access.staff, () => import('./staff/staff-page.tsx'), 'StaffPage')

const member = createRoute(staff, '/$staffId', {
  component: guarded(
    access.member,
    lazyRouteComponent(() => import('./staff/staff-detail.tsx'), 'StaffDetail')
  )
})

const settings = createRoute(root, '/settings', {
  beforeLoad: strings,
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage')
})

/** `you` or `emails`: a part of the same page. */
const settingsPart = createRoute(settings, '/$part', {})

const templates = '/settings/email-templates'

export const adminRoutes = [
  staff.addChildren([member]),
  page('/departments', access.departments, () => import('./departments/departments-page.tsx'), 'DepartmentsPage'),
  page('/tags', access.tags, () => import('./tags/tags-page.tsx'), 'TagsPage'),
  page('/canned', access.canned, () => import('./canned/canned-page.tsx'), 'CannedPage', {
    validateSearch: ({ reply }): { reply?: number | 'new' } =>
      reply === 'new' || Number.isInteger(reply) ? { reply: reply as number } : {}
  }),
  settings.addChildren([settingsPart]),
  page(templates, access.admins, () => import('./email-templates/templates-page.tsx'), 'EmailTemplatesPage'),
  page(`${templates}/$name`, access.admins, () => import('./email-templates/template-page.tsx'), 'EmailTemplatePage', {
    validateSearch: ({ language }): { language: 'en' | 'de' } => ({ language: language === 'de' ? 'de' : 'en' })
  }),
  page('/webhooks', access.admins, () => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  page('/webhooks/$webhookId', access.admins, () => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  page('/audit', access.admins, () => import('./audit/audit-page.tsx'), 'AuditPage', { validateSearch: auditFilterOf }),
  page('/counts', access.counts, () => import('./counts-page.tsx'), 'CountsPage'),
  page('/trash', access.trash, () => import('./trash-page.tsx'), 'TrashPage'),
  page('/start', access.admins, () => import('./start/start-page.tsx'), 'StartPage')
]
