import { createRootRoute, redirect } from '@tanstack/react-router'
import { currentMe } from '../app/me.ts'
import { sessionStarted } from '../app/session.tsx'
import { Frame } from './shell/frame.tsx'
import { NotFound } from './shell/not-found.tsx'
import { isOutside } from './shell/outside.ts'

/** Every page but those of the sign-in wants somebody who is signed in, and leads back to where one was. */
export const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  beforeLoad: async ({ location }) => {
    if (isOutside(location.pathname)) return
    await sessionStarted()
    const me = currentMe()
    if (!me) throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
    if (me.mustEnable2fa && location.pathname !== '/second-factor')
      throw redirect({ to: '/second-factor', replace: true })
  }
})
