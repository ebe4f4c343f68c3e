import { useCallback, useState } from 'react'

const storageKey = 'deskline:events'

/** Whether changes are shown between the messages, in this browser. */
export function useShownEvents() {
  const [hasEvents, setShown] = useState(() => localStorage.getItem(storageKey) !== 'hidden')
  const toggleEvents = useCallback(() => {
    setShown(shown => {
      localStorage.setItem(storageKey, shown ? 'hidden' : 'shown')
      return !shown
    })
  }, [])
  return { hasEvents, toggleEvents }
}
