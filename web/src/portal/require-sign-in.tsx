import { type ReactNode, useEffect, useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { FailureState } from '../app/failure-state.tsx'
import { useMaybeMe } from '../app/me.ts'
import { loadSession } from '../app/session.ts'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'

/** Pages for people who are signed in; others come to the sign-in, and back here after it. */
export function RequireSignIn({ children }: { children: ReactNode }) {
  const me = useMaybeMe()
  const [pathname] = useLocation()
  const search = useSearch()
  const started = useSessionStart()
  if (me) return children
  if (started.error) return <FailureState error={started.error} onRetry={started.again} heading="h1" />
  if (!started.isDone)
    return (
      <div aria-busy="true">
        <Delayed>
          <Skeleton rows={4} />
        </Delayed>
      </div>
    )
  const here = search ? `${pathname}?${search}` : pathname
  return <Redirect to={here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`} replace />
}

/** Where `?next=` leads: only to a page of the portal. */
export function returnPath(search: string): string {
  const next = new URLSearchParams(search).get('next')
  return next && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/'
}

function useSessionStart() {
  const [state, setState] = useState<{ isDone: boolean; error?: unknown }>({ isDone: false })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another start.
  useEffect(() => {
    loadSession().then(
      () => setState({ isDone: true }),
      error => setState({ isDone: false, error })
    )
  }, [tries])
  return { ...state, again: () => setTries(tries => tries + 1) }
}
