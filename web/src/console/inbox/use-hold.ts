import {
  type PointerEvent,
  type FocusEvent as ReactFocusEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState
} from 'react'

/**
 * Whether somebody points at the list or has the focus in it (`isHeld`): then nothing in it moves. Fingers are not seen before they touch.
 * `wasLast`: it, or what belongs to it, had the focus last.
 */
export function useHold() {
  const pointer = useRef(matchMedia('(hover: none)').matches)
  const focus = useRef(false)
  const isHeld = useRef(pointer.current) as RefObject<boolean>
  const wasLast = useRef(false)
  const [hasFocus, setHasFocus] = useState(false)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const focused = ({ target }: FocusEvent) => {
      wasLast.current = Boolean(section.current?.contains(target as Node))
    }
    addEventListener('focusin', focused)
    return () => removeEventListener('focusin', focused)
  }, [])

  return useMemo(() => {
    const listeners = (release: () => void) => {
      const change = (part: RefObject<boolean>, is: boolean) => {
        part.current = is
        const was = isHeld.current
        isHeld.current = pointer.current || focus.current
        if (was && !isHeld.current) release()
      }
      return {
        onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && change(pointer, true),
        onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && change(pointer, false),
        onFocus: () => {
          setHasFocus(true)
          change(focus, true)
        },
        onBlur: (event: ReactFocusEvent) => {
          if (event.currentTarget.contains(event.relatedTarget)) return
          setHasFocus(false)
          change(focus, false)
        }
      }
    }
    return { isHeld, hasFocus, wasLast, section, listeners }
  }, [hasFocus])
}
