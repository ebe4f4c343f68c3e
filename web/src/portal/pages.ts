import type { ComponentType } from 'react'
import { currentMe } from '../app/me.ts'
import { loadSession } from '../app/session.ts'
import { loadStrings } from '../lib/strings.ts'
import { createRouter } from '../router/router.ts'
import { createRoot, lazyRouteComponent } from '../router/routes.ts'
import type { Area } from '../strings/keys.ts'
import { createRoute, redirect } from './navigation.ts'
import { isPublicPage } from './public-pages.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { MyTicketsPage } from './tickets/my-tickets-page.tsx'

const root = createRoot({})

const session: Area[] = ['portal-sign-in', 'portal-session']
const ticket: Area[] = ['portal', 'portal-ticket']
const open: Area[] = ['portal-open', 'portal-ticket']
const codes: Area[] = ['portal', 'portal-session']
const account: Area[] = ['account', 'sign-on', 'portal-account', 'portal-session']

export const router = createRouter(
  root.addChildren([
    page('/sign-in', async () => ({ SignInPage }), 'SignInPage', ['session', 'portal-sign-in']),
    page('/sign-up', () => import('./sign-in/sign-up-page.tsx'), 'SignUpPage', session),
    page('/forgot', () => import('./sign-in/forgot-page.tsx'), 'ForgotPage', session),
    page('/reset', () => import('./sign-in/reset-page.tsx'), 'ResetPage', session),
    page('/open', () => import('./guest-ticket/guest-ticket-page.tsx'), 'GuestTicketPage', open),
    page('/', async () => ({ MyTicketsPage }), 'MyTicketsPage', ['portal']),
    page('/new', () => import('./tickets/new-ticket-page.tsx'), 'NewTicketPage', ticket),
    page('/tickets/$number', () => import('./ticket/ticket-page.tsx'), 'TicketPage', ticket),
    page('/verify', () => import('./sign-in/verify-page.tsx'), 'VerifyEmailPage', codes),
    page('/verify/phone', () => import('./sign-in/verify-page.tsx'), 'VerifyPhonePage', codes),
    page('/account', () => import('./account/profile-page.tsx'), 'ProfilePage', account),
    page('/account/security', () => import('./account/security-page.tsx'), 'SecurityPage', account),
    page('/account/emails', () => import('./account/emails-page.tsx'), 'EmailsPage', account)
  ])
)

/**
 * A page that is loaded with its strings when it is opened. Public pages are for everybody. For the others, people who are not signed in are
 * redirected to the sign-in, and back afterwards.
 */
function page<Name extends string>(
  path: Parameters<typeof createRoute>[1],
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  areas: Area[]
) {
  return createRoute(root, path, {
    beforeLoad({ href }) {
      const strings = loadStrings(...areas)
      if (isPublicPage(path) || currentMe()) return strings
      const next = href === '/' ? {} : { next: href }
      return Promise.all([loadSession(), strings]).then(() => currentMe() ?? redirect({ to: '/sign-in', search: next }))
    },
    component: lazyRouteComponent(load, name)
  })
}
