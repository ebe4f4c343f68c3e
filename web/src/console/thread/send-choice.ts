import { useCallback, useState } from 'react'
import type { SendChoice } from './sending.ts'

const usual: SendChoice = { status: 'Answered', opensNext: false, takes: false, waits: false }

/** How this person sent last, in this browser: it is what the button does the next time. */
export function useSendChoice(me: number, mayChoose: boolean) {
  const [choice, setChoice] = useState(() => kept(me))
  const choose = useCallback(
    (changed: Partial<SendChoice>) => {
      setChoice(former => {
        const next = { ...former, ...changed }
        localStorage.setItem(storageKey(me), JSON.stringify(next))
        return next
      })
    },
    [me]
  )
  // Any other status than Answered is for those who may set one.
  return { choice: mayChoose ? choice : { ...choice, status: 'Answered' as const }, choose }
}

function storageKey(me: number): string {
  return `deskline:send:${me}`
}

function kept(me: number): SendChoice {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(storageKey(me)) ?? '{}') }
  } catch {
    return usual
  }
}
