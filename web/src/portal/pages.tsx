import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { loadStrings } from '../lib/strings.ts'
import type { Area } from '../strings/keys.ts'
import { RequireSignIn } from './require-sign-in.tsx'
import { PortalShell } from './shell/portal-shell.tsx'

const signIn: Area[] = ['session', 'portal-sign-in']
const session: Area[] = ['portal-sign-in', 'portal-session']
const ticket: Area[] = ['portal', 'portal-ticket']
const open: Area[] = ['portal-open', 'portal-ticket']
const codes: Area[] = ['portal', 'portal-session']
const account: Area[] = ['account', 'portal-account', 'portal-session']

const SignInPage = page(async () => (await import('./sign-in/sign-in-page.tsx')).SignInPage, signIn)
const SignUpPage = page(async () => (await import('./sign-in/sign-up-page.tsx')).SignUpPage, session)
const ForgotPage = page(async () => (await import('./sign-in/forgot-page.tsx')).ForgotPage, session)
const ResetPage = page(async () => (await import('./sign-in/reset-page.tsx')).ResetPage, session)
const VerifyEmailPage = page(async () => (await import('./sign-in/verify-page.tsx')).VerifyEmailPage, codes)
const VerifyPhonePage = page(async () => (await import('./sign-in/verify-page.tsx')).VerifyPhonePage, codes)
const OpenPage = page(async () => (await import('./guest-ticket/guest-ticket-page.tsx')).GuestTicketPage, open)
const MyTicketsPage = page(async () => (await import('./tickets/my-tickets-page.tsx')).MyTicketsPage)
const NewTicketPage = page(async () => (await import('./tickets/new-ticket-page.tsx')).NewTicketPage, ticket)
const TicketPage = page(async () => (await import('./ticket/ticket-page.tsx')).TicketPage, ticket)
const ProfilePage = page(async () => (await import('./account/profile-page.tsx')).ProfilePage, account)
const SecurityPage = page(async () => (await import('./account/security-page.tsx')).SecurityPage, account)
const EmailsPage = page(async () => (await import('./account/emails-page.tsx')).EmailsPage, account)
const NotFoundPage = page(async () => (await import('./not-found-page.tsx')).NotFoundPage)

/** The pages of customers, each loaded when it is opened. */
export function Pages() {
  return (
    <PortalShell>
      <Suspense>
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/sign-up" component={SignUpPage} />
          <Route path="/forgot" component={ForgotPage} />
          <Route path="/reset" component={ResetPage} />
          <Route path="/open" component={OpenPage} />
          <Route path="/">{own(<MyTicketsPage />)}</Route>
          <Route path="/new">{own(<NewTicketPage />)}</Route>
          <Route path="/tickets/:number">{own(<TicketPage />)}</Route>
          <Route path="/verify">{own(<VerifyEmailPage />)}</Route>
          <Route path="/verify/phone">{own(<VerifyPhonePage />)}</Route>
          <Route path="/account">{own(<ProfilePage />)}</Route>
          <Route path="/account/security">{own(<SecurityPage />)}</Route>
          <Route path="/account/emails">{own(<EmailsPage />)}</Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </PortalShell>
  )
}

/** For who is signed in alone. */
function own(page: ReactNode) {
  return <RequireSignIn>{page}</RequireSignIn>
}

/** Loaded with its strings when it is opened. */
function page(load: () => Promise<ComponentType>, areas: Area[] = ['portal']) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadStrings(...areas)])
    return { default: component }
  })
}
