import { lazy, Suspense, useEffect } from 'react'
import { loadStrings } from '../lib/strings.ts'
import { useMaybeMe } from './me.ts'
import { useSessionState } from './session.ts'

async function load() {
  const [{ ExpiredSession }] = await Promise.all([import('./expired-session.tsx'), loadStrings('session')])
  return { default: ExpiredSession }
}
const Shown = lazy(load)

/** The sign-in dialog for an expired session. It is loaded after the page, so that it also works if the network fails later. */
export function ExpiredSession() {
  const me = useMaybeMe()
  const state = useSessionState()
  useEffect(() => {
    if (me) void load().catch(() => {})
  }, [me])
  if (state !== 'ended') return null
  return (
    <Suspense>
      <Shown />
    </Suspense>
  )
}
