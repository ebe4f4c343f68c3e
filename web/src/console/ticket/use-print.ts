import { useCallback } from 'react'
import { flushSync } from 'react-dom'

/** Prints the whole thread; notes only where they are asked for. */
export function usePrint(unfold: () => Promise<void>) {
  return useCallback(
    (hasNotes: boolean) => {
      void unfold().then(() => {
        document.documentElement.toggleAttribute('data-print-notes', hasNotes)
        flushSync(() => {})
        // Quotes are folded for readers, not on paper.
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
