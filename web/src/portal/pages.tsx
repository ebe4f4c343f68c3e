import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'

const SignInPage = lazy(async () => ({ default: (await import('./session/sign-in-page.tsx')).SignInPage }))

/** The pages of customers, each loaded when it is opened. */
export function Pages() {
  return (
    <Suspense>
      <Switch>
        <Route path="/sign-in" component={SignInPage} />
      </Switch>
    </Suspense>
  )
}
