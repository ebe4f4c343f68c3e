import { Suspense, useEffect } from 'react'
import { loadStrings } from '../lib/strings.ts'
import { lazyPart } from './lazy-part.ts'
import { useMaybeMe } from './me.ts'
import { useSessionState } from './session.ts'

async function load() {
  const [{ ExpiredSession }] = await Promise.all([import('./expired-session.tsx'), loadStrings('session')])
  return { default: ExpiredSession }
}
const Shown = lazyPart(load)
/** Until then the page itself is loaded. */
const firstMoment = 2000

/** The sign-in dialog for an expired session. It is loaded after the page, so that it also works if the network fails later. */
export function ExpiredSession() {
  const me = useMaybeMe()
  const state = useSessionState()
  const isSignedIn = me !== undefined
  useEffect(() => {
    if (!isSignedIn) return
    const timer = setTimeout(() => void load().catch(() => {}), firstMoment)
    return () => clearTimeout(timer)
  }, [isSignedIn])
  if (state !== 'ended') return null
  return (
    <Suspense>
      <Shown />
    </Suspense>
  )
}
