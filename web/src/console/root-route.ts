import { currentMe } from '../app/me.ts'
import { loadSession } from '../app/session.ts'
import { createRoot } from '../router/routes.ts'
import { redirect } from './navigation.ts'
import { isPublicPage } from './public-pages.ts'

/** Every page but the public ones needs somebody who is signed in. Others are redirected to the sign-in, and back afterwards. */
export const rootRoute = createRoot({
  beforeLoad: place => {
    if (isPublicPage(place.path)) return
    return currentMe() ? secondFactorFirst(place) : loadSession().then(() => secondFactorFirst(place))
  }
})

function secondFactorFirst({ path, href }: { path: string; href: string }) {
  const me = currentMe()
  if (!me) return redirect({ to: '/sign-in', search: { next: href } })
  if (me.mustEnable2fa && path !== '/second-factor') return redirect({ to: '/second-factor' })
}
