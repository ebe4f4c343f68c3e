import { type FocusEvent, type PointerEvent, type RefObject, useMemo, useRef, useState } from 'react'

/** Whether somebody points at the list or has the focus in it: then nothing in it moves. Fingers are not seen before they touch. */
export function useHold() {
  const pointer = useRef(matchMedia('(hover: none)').matches)
  const focus = useRef(false)
  const isHeld = useRef(pointer.current) as RefObject<boolean>
  const [hasFocus, setHasFocus] = useState(false)

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
        onBlur: (event: FocusEvent) => {
          if (event.currentTarget.contains(event.relatedTarget)) return
          setHasFocus(false)
          change(focus, false)
        }
      }
    }
    return { isHeld, hasFocus, listeners }
  }, [hasFocus])
}
