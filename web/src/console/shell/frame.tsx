import { lazy, Suspense, useEffect, useRef } from 'react'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { ExpiredSession } from '../../app/expired-session-lazily.tsx'
import { useMaybeMe } from '../../app/me.ts'
import { wantHeadingFocus } from '../../ui/page-focus.ts'
import { Toasts } from '../../ui/toast.tsx'
import { Outlet, useNavigate, useRouteId, useRouter } from '../router/react.tsx'
import { isAlone, isOutside } from './outside.ts'

const loadShell = async () => ({ default: (await import('./signed-in.tsx')).SignedIn })
const SignedIn = lazy(loadShell)
// Beside what the session asks for, not after it.
if (!isAlone(location.pathname)) void loadShell()

/** Nobody misses them in the first moment. */
const Tooltips = lazy(async () => ({ default: (await import('../../ui/tooltip.tsx')).Tooltips }))

/** What surrounds every page of the console. */
export function Frame() {
  // The address of the page that is shown: the location is ahead of it while the next one is loaded.
  const pathname = useRouteId()
  const me = useMaybeMe()
  useFocusOnNavigation()
  useWayOut(Boolean(me))
  return (
    <>
      {isAlone(pathname) ? (
        <>
          <ConnectionBar />
          {(me || isOutside(pathname)) && <Outlet />}
        </>
      ) : (
        // Nobody is here for a moment after signing out, and pages rely on somebody.
        me && (
          <Suspense>
            <SignedIn />
          </Suspense>
        )
      )}
      <ExpiredSession />
      <Toasts />
      <Suspense>
        <Tooltips />
      </Suspense>
    </>
  )
}

/** The next heading takes the focus when the address leads to another page; not when a filter changes. */
function useFocusOnNavigation() {
  const router = useRouter()
  useEffect(() => router.onLeave(wantHeadingFocus), [router])
}

/** Whoever signs out, here or in another window, is led to the sign-in. */
function useWayOut(isSignedIn: boolean) {
  const navigate = useNavigate()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (wasSignedIn.current && !isSignedIn) void navigate({ to: '/sign-in', replace: true })
    wasSignedIn.current = isSignedIn
  }, [isSignedIn, navigate])
}
