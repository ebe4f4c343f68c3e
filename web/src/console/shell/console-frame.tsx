import { Suspense, useEffect, useRef } from 'react'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { ExpiredSession } from '../../app/lazy-expired-session.tsx'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMaybeMe } from '../../app/me.ts'
import { Outlet, useHasFailed, useRouteId, useRouter, useRouterLocation } from '../../router/react.tsx'
import { requestHeadingFocus } from '../../ui/heading-focus.ts'
import { Toasts } from '../../ui/toast.tsx'
import { useNavigate } from '../navigation.ts'
import { isPublicPage, isWithoutShell } from '../public-pages.ts'
import { useWaitingReplies } from '../waiting.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** Tooltips are loaded after the page, because they are not needed at once. */
const Tooltips = lazyPart(async () => ({ default: (await import('../../ui/tooltip.tsx')).Tooltips }))

/** Loaded when the first reply waits. */
const SendWindow = lazyPart(async () => ({ default: (await import('./send-window.tsx')).SendWindow }))

/** The frame of every page of the console. */
export function ConsoleFrame() {
  const location = useRouterLocation(({ path }) => path)
  // The page that is shown: the location is ahead of it while the next one is loaded.
  const pathname = useRouteId() || location
  const hasFailed = useHasFailed()
  const me = useMaybeMe()
  const hasWaiting = useWaitingReplies().length > 0
  useFocusOnNavigation()
  useSignOutRedirect(Boolean(me))
  return (
    <>
      {isWithoutShell(pathname) || hasFailed ? (
        <>
          <ConnectionBar />
          {(me || isPublicPage(pathname) || hasFailed) && <Outlet />}
        </>
      ) : (
        // After signing out there is nobody for a moment, but the pages need the signed-in person.
        me && !me.mustEnable2fa && <SignedInShell />
      )}
      <ExpiredSession />
      <Toasts>
        {hasWaiting && (
          <Suspense>
            <SendWindow />
          </Suspense>
        )}
      </Toasts>
      <Suspense>
        <Tooltips />
      </Suspense>
    </>
  )
}

/** After a navigation to another page its heading takes the focus; not if only a filter changes. */
function useFocusOnNavigation() {
  const router = useRouter()
  useEffect(() => router.onLeave(requestHeadingFocus), [router])
}

/** Redirects to the sign-in after signing out, here or in another window. */
function useSignOutRedirect(isSignedIn: boolean) {
  const navigate = useNavigate()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (wasSignedIn.current && !isSignedIn) void navigate({ to: '/sign-in', replace: true })
    wasSignedIn.current = isSignedIn
  }, [isSignedIn, navigate])
}
