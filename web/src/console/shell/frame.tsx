import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { ExpiredSession } from '../../app/expired-session.tsx'
import { useMaybeMe } from '../../app/me.ts'
import { wantHeadingFocus } from '../../ui/page-focus.ts'
import { Toasts } from '../../ui/toast.tsx'
import { Tooltips } from '../../ui/tooltip.tsx'
import { Overlays } from '../palette/overlays.tsx'
import { isAlone, isOutside } from './outside.ts'
import { Shell } from './shell.tsx'

/** What surrounds every page of the console. */
export function Frame() {
  const pathname = useRouterState({ select: state => state.location.pathname })
  const me = useMaybeMe()
  useFocusOnNavigation()
  useWayOut(Boolean(me), pathname)
  return (
    <>
      {isAlone(pathname) || !me ? (
        <>
          <ConnectionBar />
          <Outlet />
        </>
      ) : (
        <Shell>
          <Outlet />
          <Overlays />
        </Shell>
      )}
      <ExpiredSession />
      <Toasts />
      <Tooltips />
    </>
  )
}

/** The next heading takes the focus when the address leads to another page; not when a filter changes. */
function useFocusOnNavigation() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) wantHeadingFocus()
      }),
    [router]
  )
}

/** Whoever signs out, here or in another tab, is led to the sign-in. */
function useWayOut(isSignedIn: boolean, pathname: string) {
  const navigate = useNavigate()
  const mayStay = isSignedIn || isOutside(pathname)
  useEffect(() => {
    if (!mayStay) void navigate({ to: '/sign-in', replace: true })
  }, [mayStay, navigate])
}
