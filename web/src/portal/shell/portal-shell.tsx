import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useApiQuery } from '../../app/api-queries.ts'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { ExpiredSession } from '../../app/lazy-expired-session.tsx'
import { requestHeadingFocus } from '../../ui/heading-focus.ts'
import { SkipLink } from '../../ui/skip-link.tsx'
import { Toasts } from '../../ui/toast.tsx'
import { PortalFooter } from './portal-footer.tsx'
import { PortalHeader } from './portal-header.tsx'
import './portal-shell.css'

/** Tooltips are loaded after the page, because they are not needed at once. */
const Tooltips = lazy(async () => ({ default: (await import('../../ui/tooltip.tsx')).Tooltips }))

/** What surrounds every page of the portal: the desk's name and "My tickets" above, help below, at the same places everywhere. */
export function PortalShell({ children }: { children: ReactNode }) {
  useFocusOnNavigation()
  useOwnAccent()
  return (
    <div className="portal">
      <SkipLink />
      <ConnectionBar />
      <PortalHeader />
      <main id="main" className="portal-main" tabIndex={-1}>
        {children}
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

/** The heading of the page that comes takes the focus, and the page begins at its top. */
function useFocusOnNavigation() {
  const [pathname] = useLocation()
  const before = useRef(pathname)
  // While rendering: the heading of a page that is there already asks in the effect of the same render.
  if (before.current !== pathname) {
    before.current = pathname
    requestHeadingFocus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each page.
  useEffect(() => {
    // Newer browsers answer a promise.
    void scrollTo(0, 0)
  }, [pathname])
}

/** The colour of the desk, where it has one of its own. */
function useOwnAccent() {
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  const accent = desk?.accent
  useEffect(() => {
    if (accent) void import('../apply-accent.ts').then(({ applyAccent }) => applyAccent(accent))
  }, [accent])
}
