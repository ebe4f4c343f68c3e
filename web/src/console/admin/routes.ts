import { loadStrings } from '../../lib/strings.ts'
import { root } from '../root.ts'
import { createRoute, lazyRouteComponent } from '../router/routes.ts'
import { access } from './access.ts'
import { auditFilterOf } from './audit/audit-search.ts'
import { guarded } from './guarded.tsx'

const strings = () => loadStrings('admin', 'account')

const staff = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  beforeLoad: strings,
  component: guarded(
    access.staff,
    lazyRouteComponent(() => import('./staff/staff-page.tsx'), 'StaffPage')
  )
})

const member = createRoute({
  getParentRoute: () => staff,
  path: '/$staffId',
  component: guarded(
    access.member,
    lazyRouteComponent(() => import('./staff/staff-detail.tsx'), 'StaffDetail')
  )
})

const departments = createRoute({
  getParentRoute: () => root,
  path: '/departments',
  beforeLoad: strings,
  component: guarded(
    access.departments,
    lazyRouteComponent(() => import('./departments/departments-page.tsx'), 'DepartmentsPage')
  )
})

const tags = createRoute({
  getParentRoute: () => root,
  path: '/tags',
  beforeLoad: strings,
  component: guarded(
    access.tags,
    lazyRouteComponent(() => import('./tags/tags-page.tsx'), 'TagsPage')
  )
})

const canned = createRoute({
  getParentRoute: () => root,
  path: '/canned',
  validateSearch: ({ reply }: Record<string, unknown>): { reply?: number | 'new' } =>
    reply === 'new' || Number.isInteger(reply) ? { reply: reply as number } : {},
  beforeLoad: strings,
  component: guarded(
    access.canned,
    lazyRouteComponent(() => import('./canned/canned-page.tsx'), 'CannedPage')
  )
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  beforeLoad: strings,
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage')
})

/** `you` or `emails`: a part of the same page. */
const settingsPart = createRoute({ getParentRoute: () => settings, path: '/$part' })

const emailTemplates = createRoute({
  getParentRoute: () => root,
  path: '/email-templates',
  beforeLoad: strings,
  component: guarded(
    access.admins,
    lazyRouteComponent(() => import('./email-templates/templates-page.tsx'), 'EmailTemplatesPage')
  )
})

const emailTemplate = createRoute({
  getParentRoute: () => root,
  path: '/email-templates/$name',
  validateSearch: ({ language }: Record<string, unknown>): { language: 'en' | 'de' } => ({
    language: language === 'de' ? 'de' : 'en'
  }),
  beforeLoad: strings,
  component: guarded(
    access.admins,
    lazyRouteComponent(() => import('./email-templates/template-page.tsx'), 'EmailTemplatePage')
  )
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  beforeLoad: strings,
  component: guarded(
    access.admins,
    lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage')
  )
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookId',
  beforeLoad: strings,
  component: guarded(
    access.admins,
    lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage')
  )
})

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: auditFilterOf,
  beforeLoad: strings,
  component: guarded(
    access.admins,
    lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage')
  )
})

const counts = createRoute({
  getParentRoute: () => root,
  path: '/counts',
  beforeLoad: strings,
  component: guarded(
    access.counts,
    lazyRouteComponent(() => import('./counts-page.tsx'), 'CountsPage')
  )
})

const trash = createRoute({
  getParentRoute: () => root,
  path: '/trash',
  beforeLoad: strings,
  component: guarded(
    access.trash,
    lazyRouteComponent(() => import('./trash-page.tsx'), 'TrashPage')
  )
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  beforeLoad: strings,
  component: guarded(
    access.admins,
    lazyRouteComponent(() => import('./start/start-page.tsx'), 'StartPage')
  )
})

export const adminRoutes = [
  staff.addChildren([member]),
  departments,
  tags,
  canned,
  settings.addChildren([settingsPart]),
  emailTemplates,
  emailTemplate,
  webhooks,
  webhook,
  audit,
  counts,
  trash,
  start
]
