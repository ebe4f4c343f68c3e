import { useCallback } from 'react'
import { flushSync } from 'react-dom'

/** Prints the whole thread, with notes only on request. */
export function usePrint(unfold: () => Promise<void>) {
  return useCallback(
    (hasNotes: boolean) => {
      void unfold().then(() => {
        document.documentElement.toggleAttribute('data-print-notes', hasNotes)
        flushSync(() => {})
        // Folded quotes are printed in full.
        const folded = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')]
        for (const details of folded) details.open = true
        window.print()
        for (const details of folded) details.open = false
        document.documentElement.removeAttribute('data-print-notes')
      })
    },
    [unfold]
  )
}
