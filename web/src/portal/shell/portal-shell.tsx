import { Suspense, useEffect, useRef } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { ExpiredSession } from '../../app/lazy-expired-session.tsx'
import { lazyPart, whenUsed } from '../../app/lazy-part.ts'
import { useMaybeMe } from '../../app/me.ts'
import { Outlet, useHasFailed, useRouteId, useRouter } from '../../router/react.tsx'
import { requestHeadingFocus } from '../../ui/heading-focus.ts'
import { SkipLink } from '../../ui/skip-link.tsx'
import { Toasts } from '../../ui/toast.tsx'
import { isPublicPage } from '../public-pages.ts'
import { PortalFooter } from './portal-footer.tsx'
import { PortalHeader } from './portal-header.tsx'
import './portal-shell.css'

/** Nobody sees a tooltip before they do something. */
const Tooltips = lazyPart(async () => {
  await whenUsed()
  return { default: (await import('../../ui/tooltip.tsx')).Tooltips }
})

/** The frame of every page of the portal: the desk's name and the navigation above, help below. */
export function PortalShell() {
  const me = useMaybeMe()
  const path = useRouteId()
  const hasFailed = useHasFailed()
  useFocusOnNavigation(path)
  useSignOutRedirect(Boolean(me))
  useOwnAccent()
  return (
    <div className="portal">
      <SkipLink />
      <ConnectionBar />
      <PortalHeader />
      <main id="main" className="portal-main" tabIndex={-1}>
        {/* After signing out there is nobody for a moment, but the pages need the signed-in person. */}
        {(me || !path || isPublicPage(path) || hasFailed) && <Outlet />}
      </main>
      <PortalFooter />
      <ExpiredSession />
      <Toasts />
      <Suspense>
        <Tooltips />
      </Suspense>
    </div>
  )
}

/** The heading of the next page takes the focus, and the page begins at its top. */
function useFocusOnNavigation(path: string) {
  const router = useRouter()
  useEffect(() => router.onLeave(requestHeadingFocus), [router])
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each page.
  useEffect(() => {
    // In newer browsers it returns a promise.
    void scrollTo(0, 0)
  }, [path])
}

/** Redirects to the sign-in after signing out, here or in another window, and back to the page after signing in again. */
function useSignOutRedirect(isSignedIn: boolean) {
  const router = useRouter()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    const { path, href } = router.place.get()
    if (wasSignedIn.current && !isSignedIn && !isPublicPage(path))
      void router.navigate({ to: '/sign-in', search: href === '/' ? {} : { next: href }, replace: true })
    wasSignedIn.current = isSignedIn
  }, [isSignedIn, router])
}

/** Applies the accent colour of the desk, if it has one. */
function useOwnAccent() {
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  const accent = desk?.accent
  useEffect(() => {
    if (accent) void import('../apply-accent.ts').then(({ applyAccent }) => applyAccent(accent))
  }, [accent])
}
