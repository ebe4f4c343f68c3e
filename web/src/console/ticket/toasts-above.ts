import { type RefObject, useEffect } from 'react'

/** Toasts appear above the composer: they would cover the button that sends. The one that came last counts while it is there. */
export function useToastsAbove(form: RefObject<HTMLFormElement | null>, isWanted = true) {
  useEffect(() => {
    if (!isWanted) return
    const { style } = document.documentElement
    const former = style.getPropertyValue('--composer-height')
    const measure = () => {
      const { top, height } = form.current!.getBoundingClientRect()
      // In the large window it fills the pane, and a toast comes at its foot as elsewhere.
      const isLarge = height > innerHeight / 2
      style.setProperty('--composer-height', isLarge ? '0px' : `${innerHeight - top}px`)
    }
    const grown = new ResizeObserver(measure)
    grown.observe(form.current!)
    addEventListener('resize', measure)
    return () => {
      grown.disconnect()
      removeEventListener('resize', measure)
      style.setProperty('--composer-height', former)
    }
  }, [form, isWanted])
}
