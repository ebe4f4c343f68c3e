import {
  type ComponentType,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import { flushSync } from 'react-dom'
import { insertAsTyped } from '../lib/insert-as-typed.ts'
import { loadStrings } from '../lib/strings.ts'
import type { RichFieldProps, TextFieldHandle } from './rich-field-props.ts'

type Editor = ComponentType<
  RichFieldProps & { takenOver: [number, number] | undefined; handle: RefObject<TextFieldHandle | null> }
>

let loaded: Editor | undefined

/**
 * A field that shows formatting while one types. It is a text area until its code is loaded, or where that fails: text, caret and focus are
 * taken over, and until then the keys put marks.
 */
export function RichField({ ref, isPlain = false, ...props }: RichFieldProps & { isPlain?: boolean }) {
  const { value, caret, readOnly, placeholder, className, maxLength, areaProps, onChange, onMove, onKeyDown } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const editor = useRef<TextFieldHandle>(null)
  const isComposing = useRef(false)
  const takenOver = useRef<[number, number]>(undefined)
  const emitted = useRef<string>(undefined)
  const swap = useRef<() => void>(undefined)
  const [Shown, setShown] = useState<Editor | undefined>(() => loaded)

  useEffect(() => {
    if (isPlain || Shown) return
    let isOver = false
    const cancel = whenIdle(() => {
      void loadEditor().then(
        Editor => {
          swap.current = () => {
            if (isOver) return
            const { current } = area
            if (current && document.activeElement === current)
              takenOver.current = [current.selectionStart, current.selectionEnd]
            // At once: a key in between would go into a field that is about to leave.
            flushSync(() => setShown(() => Editor))
          }
          // Nothing is taken away from somebody in the middle of a word.
          if (!isComposing.current) swap.current()
        },
        // Without the editor one writes into the text area.
        () => {}
      )
    })
    return () => {
      isOver = true
      cancel()
    }
  }, [isPlain, Shown])

  useImperativeHandle(ref, () => ({
    focus: () => (editor.current ?? area.current)?.focus(),
    selection: () => editor.current?.selection() ?? [area.current!.selectionStart, area.current!.selectionEnd],
    insert: (text, from, to) =>
      editor.current ? editor.current.insert(text, from, to) : insertAsTyped(area.current!, text, from, to)
  }))

  // A text that did not come from here comes with its caret.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value alone counts.
  useLayoutEffect(() => {
    if (value === emitted.current) return
    emitted.current = value
    area.current?.setSelectionRange(...caret)
  }, [value])

  if (Shown && !isPlain)
    return (
      <div className="rich-field" onKeyDownCapture={event => isInText(event) && onKeyDown?.(event)}>
        <Shown {...props} takenOver={takenOver.current} handle={editor} />
      </div>
    )
  return (
    <textarea
      ref={area}
      {...areaProps}
      className={className}
      placeholder={placeholder}
      dir="auto"
      maxLength={maxLength}
      value={value}
      readOnly={readOnly}
      onChange={({ target }) => {
        emitted.current = target.value
        onChange(target.value, [target.selectionStart, target.selectionEnd])
      }}
      onSelect={({ currentTarget: { selectionStart, selectionEnd, value: shown } }) => {
        const isMoved = caret[0] !== selectionStart || caret[1] !== selectionEnd
        if (isMoved && shown === value) onMove?.([selectionStart, selectionEnd])
      }}
      onKeyDown={event => {
        onKeyDown?.(event)
        if (!event.defaultPrevented) putMarks(event)
      }}
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={() => {
        isComposing.current = false
        swap.current?.()
      }}
    />
  )
}

/** Fetches the editor before the field is there. */
export async function loadEditor(): Promise<Editor> {
  const [{ RichEditor }] = await Promise.all([import('./rich-editor/rich-editor.tsx'), loadStrings('format')])
  loaded = RichEditor
  return RichEditor
}

/** Changes between a plain text and the Markdown that shows the same. */
export async function textConversions(): Promise<typeof import('./rich-editor/plain-text.ts')> {
  return await import('./rich-editor/plain-text.ts')
}

function isInText({ target }: KeyboardEvent): boolean {
  return (target as HTMLElement).closest('[role="toolbar"]') === null
}

const marksOfKeys: Record<string, string> = { b: '**', i: '*', e: '`' }

/** The keys of the formatted field put marks around what is selected. */
function putMarks(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const mark = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey ? marksOfKeys[event.key] : undefined
  const { selectionStart: from, selectionEnd: to, value, readOnly } = event.currentTarget
  if (!mark || readOnly) return
  event.preventDefault()
  insertAsTyped(event.currentTarget, `${mark}${value.slice(from, to)}${mark}`, from, to)
  event.currentTarget.setSelectionRange(from + mark.length, to + mark.length)
}

/** Calls it when the page has nothing else to do. */
function whenIdle(call: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(call, 300)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(call, { timeout: 3000 })
  return () => cancelIdleCallback(request)
}
