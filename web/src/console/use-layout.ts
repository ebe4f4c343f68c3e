import { useCallback, useSyncExternalStore } from 'react'

/** Whether the media query matches. */
function useMedia(query: string): boolean {
  const watch = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query]
  )
  return useSyncExternalStore(watch, () => matchMedia(query).matches)
}

/** Phones show one pane at a time. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 719px)')
}

/** The same as `--h-row` and `--h-line` in the styles. Rows of known height need not be measured. */
export function useRowHeight(isWide: boolean): number {
  const isTall = useMedia('(pointer: coarse), (max-width: 719px)')
  if (isWide) return isTall ? 48 : 40
  return isTall ? 72 : 56
}
