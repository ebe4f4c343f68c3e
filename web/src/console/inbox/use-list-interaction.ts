import {
  type PointerEvent,
  type FocusEvent as ReactFocusEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef
} from 'react'

/**
 * Whether the pointer or the focus is in the list (`isInteracting`): then no row moves. On touch screens it is always true, because a finger
 * cannot be detected before the touch. `lost`: whether the last focused element was in the list and has been removed.
 */
export function useListInteraction() {
  const pointer = useRef(matchMedia('(hover: none)').matches)
  const focus = useRef(false)
  const isInteracting = useRef(pointer.current) as RefObject<boolean>
  const focused = useRef<Element>(null)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const heard = ({ target }: FocusEvent) => {
      focused.current = section.current?.contains(target as Node) ? (target as Element) : null
    }
    addEventListener('focusin', heard)
    return () => removeEventListener('focusin', heard)
  }, [])

  return useMemo(() => {
    const listeners = (release: () => void) => {
      const change = (part: RefObject<boolean>, is: boolean) => {
        part.current = is
        const was = isInteracting.current
        isInteracting.current = pointer.current || focus.current
        if (was && !isInteracting.current) release()
      }
      return {
        onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && change(pointer, true),
        onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && change(pointer, false),
        onFocus: () => change(focus, true),
        onBlur: (event: ReactFocusEvent) => !event.currentTarget.contains(event.relatedTarget) && change(focus, false)
      }
    }
    const lost = () => focused.current?.isConnected === false && document.activeElement === document.body
    return { isInteracting, lost, section, listeners }
  }, [])
}
