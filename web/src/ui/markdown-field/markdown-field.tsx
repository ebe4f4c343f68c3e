import { LoaderCircle, PenLine } from 'lucide-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState
} from 'react'
import { flushSync } from 'react-dom'
import { pastedFiles } from '../../lib/files.ts'
import { insertAsTyped } from '../../lib/insert-as-typed.ts'
import { addressOf, isLinkAddress } from '../../lib/safe-links.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../announce.ts'
import { Banner } from '../banner.tsx'
import { IconButton } from '../button.tsx'
import { Field, type FieldFrame } from '../field.tsx'
import type { Format } from '../rich-editor/commands.ts'
import { type Asking, FormatBar } from '../rich-editor/format-bar.tsx'
import {
  continued,
  described,
  type Edit,
  formatsAt,
  formatted,
  linkAt,
  linked,
  pictureAt,
  pictured,
  type Selection
} from './edits.ts'
import './markdown-field.css'

/** Where pictures of a text are kept. */
export interface PictureStore {
  maxMegabytes: number
  /** Resolves to the address by which the text names it. */
  upload(picture: File): Promise<string>
  failureText(error: unknown): string
}

interface MarkdownFieldProps extends FieldFrame {
  name: string
  value: string
  lang?: string
  rows?: number
  maxLength?: number
  readOnly?: boolean
  pictures: PictureStore
  onChange(value: string): void
}

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** Markdown as it is written, with the bar and the keys of a formatted text. Pictures come by button, paste or drop. */
export function MarkdownField({ pictures, onChange, ...props }: MarkdownFieldProps) {
  const { label, hint, error, optional, disabledReason, aside, className, value, readOnly = false, ...input } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [selection, setSelection] = useState<Selection>([0, 0])
  const [asking, setAsking] = useState<Asking>()
  const { add, isUploading, refusals, forget } = useUploads(area, readOnly, pictures, setSelection)
  const isInPicture = pictureAt(value, selection) !== undefined

  function selected(): Selection {
    return [area.current!.selectionStart, area.current!.selectionEnd]
  }

  function apply(edit: Edit | undefined) {
    if (!edit || readOnly) return
    applied(area.current!, edit)
    setSelection(edit.selection)
  }

  /** Moves the focus into the bar at once, so that the next key goes there. */
  function focusBar(asks?: Asking) {
    if (readOnly) return
    flushSync(() => setAsking(asks))
    bar.current?.querySelector<HTMLElement>('button, input')?.focus()
  }

  const run = (format: Format) => apply(formatted(value, selected(), format))
  const askForLink = () => focusBar({ what: 'link', href: linkAt(value, selected())?.href ?? '' })
  const askForDescription = () =>
    focusBar({ what: 'description', alt: pictureAt(value, selected())?.text.replace(/\\(.)/g, '$1') ?? '' })

  function leave() {
    setAsking(undefined)
    area.current!.focus()
  }

  function answer(text: string | undefined) {
    if (asking?.what === 'link') apply(linked(value, selected(), text))
    else apply(described(value, selected(), text ?? ''))
    leave()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing || readOnly || event.altKey) return
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      const edit = continued(value, selected())
      if (!edit) return
      event.preventDefault()
      apply(edit)
    }
    if (!event.ctrlKey && !event.metaKey) return
    const does = event.shiftKey ? keysWithShift[event.code] : keys[event.key]
    if (!does) return
    event.preventDefault()
    if (does === 'link') askForLink()
    else if (does === 'bar') focusBar()
    else run(does)
  }

  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const text = event.clipboardData.getData('text/plain').trim()
    const files = pastedFiles(event.clipboardData)
    // Word processors add a picture of what they copy.
    if (files.length > 0 && text === '') {
      event.preventDefault()
      void add(files)
    } else if (value.slice(...selected()).trim() !== '' && isLinkAddress(text)) {
      event.preventDefault()
      apply(linked(value, selected(), text))
    }
  }

  function onDrop(event: DragEvent<HTMLTextAreaElement>) {
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    const place = document.caretPositionFromPoint?.(event.clientX, event.clientY)
    if (place?.offsetNode === area.current) area.current!.setSelectionRange(place.offset, place.offset)
    void add(files)
  }

  return (
    <Field {...({ label, hint, error, optional, disabledReason, aside, className } as FieldFrame)}>
      {field => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves the text and the bar together.
        <div
          className="markdown-field"
          onBlur={event => !event.currentTarget.contains(event.relatedTarget) && setAsking(undefined)}
        >
          {!readOnly && (
            <FormatBar
              ref={bar}
              className="format-bar row"
              formats={formatsAt(value, selection)}
              isLink={linkAt(value, selection) !== undefined}
              isPicture={false}
              asking={asking}
              readAddress={addressInArticle}
              onFormat={run}
              onLink={askForLink}
              onPictures={files => void add(files)}
              onAnswer={answer}
              onLeave={leave}
            >
              {isInPicture && (
                <IconButton icon={PenLine} label={t('format.describe')} tabIndex={-1} onClick={askForDescription} />
              )}
              <span className="about" role="status">
                {isUploading && (
                  <>
                    <LoaderCircle className="spin" size={14} aria-hidden /> {t('format.uploading')}
                  </>
                )}
              </span>
            </FormatBar>
          )}
          {refusals.length > 0 && (
            <Banner tone="bad" action={{ label: t('ui.close'), onClick: forget }}>
              {refusals.map(refusal => (
                <p key={refusal}>{refusal}</p>
              ))}
            </Banner>
          )}
          <textarea
            {...field}
            {...input}
            ref={area}
            dir="auto"
            value={value}
            readOnly={readOnly}
            onChange={event => onChange(event.target.value)}
            onSelect={() => setSelection(selected())}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onDragOver={event => event.dataTransfer.types.includes('Files') && event.preventDefault()}
            onDrop={onDrop}
          />
        </div>
      )}
    </Field>
  )
}

/** Those of the formatted field. */
const keys: Record<string, Format> = { b: 'bold', i: 'italic', e: 'code' }
const keysWithShift: Record<string, Format | 'link' | 'bar'> = {
  Digit7: 'numbered',
  Digit8: 'list',
  Digit9: 'quote',
  KeyK: 'link',
  KeyF: 'bar'
}

/** Articles also link each other, and their own headings. */
function addressInArticle(typed: string): string | undefined {
  return /^(\/(?![/\\])|#)\S*$/.test(typed) ? typed : addressOf(typed)
}

function applied(area: HTMLTextAreaElement, { from, to, text, selection }: Edit) {
  if (text !== area.value.slice(from, to)) insertAsTyped(area, text, from, to)
  else area.focus()
  area.setSelectionRange(...selection)
}

/** Uploads pictures one after the other, and puts each where the caret was, while one goes on writing. */
function useUploads(
  area: RefObject<HTMLTextAreaElement | null>,
  readOnly: boolean,
  { maxMegabytes, upload, failureText }: PictureStore,
  onSelection: (selection: Selection) => void
) {
  const [count, setCount] = useState(0)
  const [refusals, setRefusals] = useState<string[]>([])
  const isReadOnly = useRef(readOnly)
  const waiting = useRef<(() => void)[]>([])
  isReadOnly.current = readOnly
  useEffect(() => {
    if (!readOnly) for (const go of waiting.current.splice(0)) go()
  }, [readOnly])

  function refusalOf({ name, type, size }: File): string | undefined {
    if (!pictureTypes.includes(type)) return t('format.notPicture', { name })
    if (size > maxMegabytes * 1024 * 1024) return t('format.pictureTooLarge', { name, megabytes: maxMegabytes })
    return undefined
  }

  async function add(files: File[]) {
    setRefusals([])
    for (const file of files) {
      const refusal = refusalOf(file) ?? (await put(file))
      if (refusal) setRefusals(others => [...others, refusal])
    }
  }

  /** Returns why the picture was not stored. */
  async function put(file: File): Promise<string | undefined> {
    const place = placeOf(area.current!)
    setCount(count => count + 1)
    try {
      const href = await upload(file)
      // What is being saved does not change.
      if (isReadOnly.current) await new Promise<void>(go => waiting.current.push(go))
      if (area.current) putIn(area.current, href, file, place)
    } catch (error) {
      return t('format.notUploaded', { name: file.name, why: failureText(error) })
    } finally {
      setCount(count => count - 1)
    }
  }

  function putIn(area: HTMLTextAreaElement, href: string, { name }: File, place: Place) {
    const focused = document.activeElement
    const [from, to] = [area.selectionStart, area.selectionEnd]
    const at = placeNow(area.value, place)
    const isWhereOneWrites = area.value === place.text && to === place.caret
    const edit = pictured(area.value, at, { href, description: name.replace(/\.\w+$/, '') })
    const moved = (offset: number) => (offset < at ? offset : offset + edit.text.length)
    applied(area, isWhereOneWrites ? edit : { ...edit, selection: [moved(from), moved(to)] })
    onSelection([area.selectionStart, area.selectionEnd])
    if (focused instanceof HTMLElement && focused !== area && focused !== document.body) focused.focus()
    announce(t('format.pictureAdded', { name }))
  }

  return { add, isUploading: count > 0, refusals, forget: () => setRefusals([]) }
}

interface Place {
  text: string
  caret: number
  at: number
}

/** At the caret, or behind the picture whose description is being said. */
function placeOf({ value: text, selectionEnd: caret }: HTMLTextAreaElement): Place {
  return { text, caret, at: pictureAt(text, [caret, caret])?.to ?? caret }
}

/** The same place, though something was written before or after it meanwhile. */
function placeNow(text: string, { text: former, at }: Place): number {
  if (text.startsWith(former.slice(0, at))) return at
  const after = former.slice(at)
  return text.endsWith(after) ? text.length - after.length : Math.min(at, text.length)
}
