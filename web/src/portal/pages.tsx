import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { PortalShell } from './shell/portal-shell.tsx'

const SignInPage = lazy(async () => ({ default: (await import('./session/sign-in-page.tsx')).SignInPage }))

/** The pages of customers, each loaded when it is opened. */
export function Pages() {
  return (
    <PortalShell>
      <Suspense>
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
        </Switch>
      </Suspense>
    </PortalShell>
  )
}
