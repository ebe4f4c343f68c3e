import { currentMe } from '../app/me.ts'
import { sessionStarted } from '../app/session.tsx'
import { createRoot, redirect } from './router/routes.ts'
import { Frame } from './shell/frame.tsx'
import { isOutside } from './shell/outside.ts'

/** Every page but those of the sign-in wants somebody who is signed in, and leads back to where one was. */
export const root = createRoot({
  component: Frame,
  beforeLoad: place => {
    if (isOutside(place.path)) return
    return currentMe() ? secondFactorFirst(place) : sessionStarted().then(() => secondFactorFirst(place))
  }
})

function secondFactorFirst({ path, href }: { path: string; href: string }) {
  const me = currentMe()
  if (!me) return redirect({ to: '/sign-in', search: { next: href } })
  if (me.mustEnable2fa && path !== '/second-factor') return redirect({ to: '/second-factor' })
}
