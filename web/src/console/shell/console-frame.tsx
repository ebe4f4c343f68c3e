import { lazy, Suspense, useEffect, useRef } from 'react'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { ExpiredSession } from '../../app/lazy-expired-session.tsx'
import { useMaybeMe } from '../../app/me.ts'
import { requestHeadingFocus } from '../../ui/heading-focus.ts'
import { Toasts } from '../../ui/toast.tsx'
import { Outlet, useNavigate, useRouteId, useRouter } from '../router/react.tsx'
import { isPublicPage, isWithoutShell } from './public-pages.ts'

const loadShell = async () => ({ default: (await import('./signed-in-shell.tsx')).SignedInShell })
const SignedIn = lazy(loadShell)
// Beside what the session asks for, not after it.
if (!isWithoutShell(location.pathname)) void loadShell()

/** Nobody misses them in the first moment. */
const Tooltips = lazy(async () => ({ default: (await import('../../ui/tooltip.tsx')).Tooltips }))

/** What surrounds every page of the console. */
export function ConsoleFrame() {
  // The address of the page that is shown: the location is ahead of it while the next one is loaded.
  const pathname = useRouteId()
  const me = useMaybeMe()
  useFocusOnNavigation()
  useSignOutRedirect(Boolean(me))
  return (
    <>
      {isWithoutShell(pathname) ? (
        <>
          <ConnectionBar />
          {(me || isPublicPage(pathname)) && <Outlet />}
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
  useEffect(() => router.onLeave(requestHeadingFocus), [router])
}

/** Whoever signs out, here or in another window, is led to the sign-in. */
function useSignOutRedirect(isSignedIn: boolean) {
  const navigate = useNavigate()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (wasSignedIn.current && !isSignedIn) void navigate({ to: '/sign-in', replace: true })
    wasSignedIn.current = isSignedIn
  }, [isSignedIn, navigate])
}
