import { currentMe } from '../../app/me.ts'
import { loadStrings } from '../../lib/strings.ts'
import { createRoute as createFrame, lazyRouteComponent } from '../../router/routes.ts'
import type { Target } from '../addresses.ts'
import { createRoute, redirect } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPage, protectedPages } from '../protected-pages.tsx'
import { rootRoute } from '../root-route.ts'
import { auditFilterOf } from './audit/audit-search.ts'

const strings = () => loadStrings('admin', 'account')

/** The list of pages beside each of them. It has no address of its own. */
const frame = createFrame(rootRoute, '', {
  beforeLoad: strings,
  component: lazyRouteComponent(() => import('./admin-frame.tsx'), 'AdminFrame')
})
const page = protectedPages(strings, frame)
const hours = protectedPages(() => loadStrings('admin', 'account', 'definition', 'hours'), frame)
const sla = protectedPages(() => loadStrings('admin', 'account', 'definition', 'sla'), frame)
const fields = protectedPages(() => loadStrings('admin', 'account', 'definition', 'fields-admin'), frame)
const rules = protectedPages(() => loadStrings('admin', 'account', 'definition', 'actions', 'rules'), frame)
const forms = protectedPages(() => loadStrings('admin', 'account', 'definition', 'fields-admin', 'ticket-forms'), frame)
const signOn = protectedPages(() => loadStrings('admin', 'account', 'sign-on-admin'), frame)
const mailboxes = protectedPages(() => loadStrings('admin', 'account', 'mailboxes'), frame)

const staff = page('/staff', pageAccess.staff, () => import('./staff/staff-page.tsx'), 'StaffPage')

const member = createRoute(staff, '/$staffId', {
  component: protectedPage(
    pageAccess.member,
    lazyRouteComponent(() => import('./staff/staff-detail.tsx'), 'StaffDetail')
  )
})

const macros = protectedPages(() => loadStrings('admin', 'account', 'definition', 'actions', 'macros'))(
  '/macros',
  pageAccess.macros,
  () => import('./macros/macros-page.tsx'),
  'MacrosPage'
)

const macro = createRoute(macros, '/$macroId', {
  component: lazyRouteComponent(() => import('./macros/macro-detail.tsx'), 'MacroDetail')
})

const overview = () => import('./overview/overview-page.tsx')
const templates = '/settings/email-templates'

/** Addresses of former pages lead to what took their place. */
const formerly = (path: '/counts' | '/start' | '/settings' | '/settings/you' | '/settings/emails', to: () => Target) =>
  createRoute(rootRoute, path as '/start', { beforeLoad: () => redirect(to()) })

/** Canned replies became macros, with the same ids. */
function macroFormerly(href: string): Target {
  const reply = new URL(href, location.origin).searchParams.get('reply')
  return reply ? { to: '/macros/$macroId', params: { macroId: reply } } : { to: '/macros' }
}

export const adminRoutes = [
  frame.addChildren([
    page('/admin', pageAccess.administration, overview, 'OverviewPage', {
      beforeLoad: () => loadStrings('admin', 'account', 'audit')
    }),
    page('/admin/overview', pageAccess.administration, overview, 'OverviewPage', {
      beforeLoad: () => loadStrings('admin', 'account', 'audit')
    }),
    staff.addChildren([member]),
    page('/departments', pageAccess.departments, () => import('./departments/departments-page.tsx'), 'DepartmentsPage'),
    fields('/fields', pageAccess.admins, () => import('./fields/fields-page.tsx'), 'FieldsPage'),
    forms('/forms', pageAccess.admins, () => import('./ticket-forms/forms-page.tsx'), 'FormsPage'),
    forms('/forms/$formId', pageAccess.admins, () => import('./ticket-forms/form-page.tsx'), 'FormPage'),
    page('/tags', pageAccess.tags, () => import('./tags/tags-page.tsx'), 'TagsPage'),
    page('/trash', pageAccess.trash, () => import('./trash-page.tsx'), 'TrashPage'),
    signOn('/settings/sign-in', pageAccess.admins, () => import('./sign-on/sign-in-page.tsx'), 'SignInPage'),
    signOn('/settings/sign-in/new', pageAccess.admins, () => import('./sign-on/provider-page.tsx'), 'NewProviderPage', {
      validateSearch: ({ population }): { population?: string } => (population === 'client' ? { population } : {})
    }),
    signOn(
      '/settings/sign-in/$providerId',
      pageAccess.admins,
      () => import('./sign-on/provider-page.tsx'),
      'ProviderPage'
    ),
    mailboxes('/settings/email', pageAccess.admins, () => import('./settings/email-page.tsx'), 'EmailPage'),
    mailboxes('/settings/email/new', pageAccess.admins, () => import('./mailboxes/connect-page.tsx'), 'ConnectPage'),
    mailboxes(
      '/settings/email/$mailboxId',
      pageAccess.admins,
      () => import('./mailboxes/mailbox-page.tsx'),
      'MailboxPage',
      {
        validateSearch: ({ test, sign_in }): { test?: number; sign_in?: string } => ({
          ...(Number(test) === 1 ? { test: 1 } : {}),
          ...(typeof sign_in === 'string' ? { sign_in } : {})
        })
      }
    ),
    page('/settings/portal', pageAccess.admins, () => import('./settings/portal-page.tsx'), 'PortalPage'),
    page(
      '/settings/satisfaction',
      pageAccess.admins,
      () => import('./settings/satisfaction-page.tsx'),
      'SatisfactionPage'
    ),
    page('/settings/help', pageAccess.admins, () => import('./help/help-page.tsx'), 'HelpPage'),
    page('/settings/general', pageAccess.admins, () => import('./settings/general-page.tsx'), 'GeneralPage'),
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
    hours('/hours', pageAccess.admins, () => import('./hours/calendars-page.tsx'), 'CalendarsPage'),
    hours('/hours/$calendarId', pageAccess.admins, () => import('./hours/calendar-page.tsx'), 'CalendarPage'),
    sla('/sla', pageAccess.admins, () => import('./sla/policies-page.tsx'), 'PoliciesPage'),
    sla('/sla/$policyId', pageAccess.admins, () => import('./sla/policy-page.tsx'), 'PolicyPage'),
    rules('/rules', pageAccess.admins, () => import('./rules/rules-page.tsx'), 'RulesPage'),
    rules('/rules/$ruleId', pageAccess.admins, () => import('./rules/rule-page.tsx'), 'RulePage', {
      validateSearch: ({ template }): { template?: string } => (typeof template === 'string' ? { template } : {})
    }),
    rules('/rules/$ruleId/runs', pageAccess.admins, () => import('./rules/runs-page.tsx'), 'RunsPage'),
    rules('/rules/$ruleId/versions', pageAccess.admins, () => import('./rules/versions-page.tsx'), 'VersionsPage'),
    page('/api-access', pageAccess.admins, () => import('./api-access/api-access-page.tsx'), 'ApiAccessPage'),
    page(
      '/api-access/$accountId',
      pageAccess.admins,
      () => import('./api-access/service-account-page.tsx'),
      'ServiceAccountPage'
    ),
    page('/webhooks', pageAccess.admins, () => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    page('/webhooks/$webhookId', pageAccess.admins, () => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
    page('/audit', pageAccess.admins, () => import('./audit/audit-page.tsx'), 'AuditPage', {
      beforeLoad: () => loadStrings('admin', 'account', 'audit'),
      validateSearch: auditFilterOf
    })
  ]),
  macros.addChildren([macro]),
  createRoute(rootRoute, '/canned', { beforeLoad: ({ href }) => redirect(macroFormerly(href)) }),
  formerly('/counts', () => ({ to: '/reports' })),
  formerly('/start', () => ({ to: '/admin' })),
  formerly('/settings', () => (currentMe()?.isAdmin ? { to: '/settings/general' } : { to: '/account' })),
  formerly('/settings/you', () => ({ to: '/account', search: { part: 'browser' } })),
  formerly('/settings/emails', () => ({ to: '/account', search: { part: 'emails' } }))
]
