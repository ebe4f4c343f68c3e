import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState
} from 'react'

export type Align = 'start' | 'end'

/** The props that make a button open a popover: spread them on the button. */
export interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'menu' | 'listbox' | 'dialog'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onPointerDown(): void
  onClick(): void
  onKeyDown(event: KeyboardEvent): void
}

/**
 * A native popover below a button: the browser handles light dismissal and Esc. It is positioned by hand, for browsers without anchor
 * positioning.
 */
export function usePopover(role: TriggerProps['aria-haspopup'], align: Align = 'start') {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const floating = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)
  const [open, setOpen] = useState(false)

  const show = useCallback(() => {
    const element = floating.current
    if (!element || element.matches(':popover-open')) return
    element.showPopover()
    setOpen(true)
  }, [])

  /** Returns the focus to the button, unless it has moved on purpose. */
  const hide = useCallback((returnFocus = true) => {
    const element = floating.current
    if (!element?.matches(':popover-open')) return
    const had = element.contains(document.activeElement)
    element.hidePopover()
    if (returnFocus && had) trigger.current?.focus()
  }, [])

  // Runs before the paint, once the content is rendered.
  useLayoutEffect(() => {
    const element = floating.current
    if (!element || !open) return
    place(trigger.current, element, align)
    const growth = new ResizeObserver(() => place(trigger.current, element, align))
    growth.observe(element)
    return () => growth.disconnect()
  }, [open, align])

  useEffect(() => {
    const element = floating.current
    if (!element || !open) return
    const replace = () => place(trigger.current, element, align)
    const closed = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'closed') return
      // React removes the focused element before the browser could restore the focus.
      if (element.contains(document.activeElement)) trigger.current?.focus()
      setOpen(false)
    }
    element.addEventListener('beforetoggle', closed)
    addEventListener('resize', replace)
    addEventListener('scroll', replace, { capture: true, passive: true })
    return () => {
      element.removeEventListener('beforetoggle', closed)
      removeEventListener('resize', replace)
      removeEventListener('scroll', replace, { capture: true })
    }
  }, [open, align])

  const triggerProps: TriggerProps = {
    ref: trigger,
    'aria-haspopup': role,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    // The browser closes the popover before the click arrives: the click must not open it again.
    onPointerDown: () => {
      wasOpen.current = open
    },
    onClick: () => {
      if (open || wasOpen.current) hide()
      else show()
      wasOpen.current = false
    },
    onKeyDown: event => {
      if (event.key !== 'ArrowDown' || open) return
      event.preventDefault()
      show()
    }
  }
  return { id, open, show, hide, trigger, floating, triggerProps }
}

/** Below the anchor, or above it where there is more room; within the window. */
export function place(anchor: Element | null, element: HTMLElement, align: Align): void {
  if (!anchor) return
  const gap = 4
  const edge = 8
  const box = anchor.getBoundingClientRect()
  element.style.maxHeight = ''
  const { width, height } = element.getBoundingClientRect()
  const below = innerHeight - box.bottom - gap - edge
  const above = box.top - gap - edge
  const goesUp = height > below && above > below
  const room = Math.max(120, goesUp ? above : below)
  const fromRight = (align === 'end') !== (document.documentElement.dir === 'rtl')
  const left = fromRight ? box.right - width : box.left
  element.style.inset = 'auto'
  element.style.maxHeight = `${room}px`
  element.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`
  element.style.top = `${goesUp ? Math.max(edge, box.top - gap - Math.min(height, room)) : box.bottom + gap}px`
}
