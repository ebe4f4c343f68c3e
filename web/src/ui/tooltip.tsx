import { useEffect, useRef, useState } from 'react'
import { Keys } from './kbd.tsx'
import { place } from './popover.ts'
import './tooltip.css'

interface Tip {
  text: string
  keys: string | undefined
  anchor: HTMLElement
}

/**
 * Shows the name (`data-tip`) and key (`data-tip-keys`) of a control, after 400 ms under the pointer or on keyboard focus. Render it once per
 * page. It repeats what the control's accessible name says. Esc hides it.
 */
export function Tooltips() {
  const [tip, setTip] = useState<Tip>()
  const element = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (target: EventTarget | null) => {
      clearTimeout(timer)
      const anchor = (target as HTMLElement | null)?.closest?.<HTMLElement>('[data-tip]')
      if (!anchor) return setTip(undefined)
      timer = setTimeout(() => {
        const isCovered = anchor.getAttribute('aria-expanded') === 'true'
        // A navigation item with a visible name needs no tooltip.
        const isNamed = 'tipRail' in anchor.dataset && anchor.querySelector('.label')?.checkVisibility()
        if (anchor.isConnected && !isCovered && !isNamed)
          setTip({ text: anchor.dataset.tip!, keys: anchor.dataset.tipKeys, anchor })
      }, 400)
    }
    const over = (event: PointerEvent) => {
      // The pointer may move onto the tooltip itself (WCAG 1.4.13).
      if (event.pointerType === 'mouse' && !element.current?.contains(event.target as Node)) wait(event.target)
    }
    const focused = (event: FocusEvent) => {
      if ((event.target as HTMLElement).matches?.(':focus-visible')) wait(event.target)
    }
    const away = () => {
      clearTimeout(timer)
      setTip(undefined)
    }
    const escaped = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Enter') away()
    }
    const ending = new AbortController()
    const { signal } = ending
    document.addEventListener('pointerover', over, { signal })
    document.addEventListener('pointerdown', away, { signal })
    document.addEventListener('focusin', focused, { signal })
    document.addEventListener('focusout', away, { signal })
    document.addEventListener('keydown', escaped, { signal })
    document.addEventListener('scroll', away, { signal, capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [])

  useEffect(() => {
    const shown = element.current
    if (!tip || !shown) return
    shown.showPopover()
    place(tip.anchor, shown, 'start')
    return () => {
      if (shown.isConnected) shown.hidePopover()
    }
  }, [tip])

  return (
    <div ref={element} className="tooltip" popover="manual" role="tooltip">
      {tip?.text}
      {tip?.keys && <Keys keys={tip.keys} />}
    </div>
  )
}
