import { useEffect, useMemo, useRef, useState } from 'react'
import { blockers, type NavigationBlocker } from './navigation-blockers.ts'

/** Blocks navigation while `isOn`. `isBlocked` is true while the person decides whether to leave. */
export function useBlocker(isOn: boolean): { isBlocked: boolean; proceed(): void; stay(): void } {
  const [asked, setAsked] = useState<{ answer(goes: boolean): void }>()
  const isOnNow = useRef(isOn)
  isOnNow.current = isOn
  useEffect(() => {
    const blocker: NavigationBlocker = {
      isOn: () => isOnNow.current,
      ask: () =>
        new Promise(answer => {
          setAsked(former => {
            // If a second navigation is attempted while the first is undecided, the second replaces it.
            former?.answer(false)
            return { answer }
          })
        })
    }
    blockers.add(blocker)
    return () => void blockers.delete(blocker)
  }, [])
  return useMemo(() => {
    const decide = (goes: boolean) => {
      setAsked(undefined)
      asked?.answer(goes)
    }
    return { isBlocked: asked !== undefined, proceed: () => decide(true), stay: () => decide(false) }
  }, [asked])
}
