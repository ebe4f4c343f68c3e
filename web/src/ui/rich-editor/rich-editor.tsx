import { closeHistory } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { EditorState, NodeSelection, Plugin, type Selection, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { pastedFiles } from '../../lib/files.ts'
import { addressOf, isLinkAddress } from '../../lib/safe-links.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../announce.ts'
import type { RichFieldProps, TextFieldHandle } from '../rich-field-props.ts'
import { chosenPicture, type Format, formatCommands, formatsIn, hasMark, linkAt, setLink } from './commands.ts'
import { readField, writeField } from './field-text.ts'
import { type Asking, FormatBar } from './format-bar.tsx'
import { keptHtml, markdownSlice, plainSlice } from './pasted.ts'
import { pictureView } from './picture-view.ts'
import { editorPlugins } from './plugins.ts'
import './rich-editor.css'
import { marks, nodes, picturesIn } from './schema.ts'
import { attributesOf, copiedText, placeOver } from './view-props.ts'

interface RichEditorProps extends RichFieldProps {
  /** The caret of the text area that stood here, if it had the focus. */
  takenOver: [number, number] | undefined
  handle: RefObject<TextFieldHandle | null>
}

/** The field that shows formatting while one types. Its value is Markdown. */
export function RichEditor(props: RichEditorProps) {
  const { value, readOnly, bar, barEnd, pictures, takenOver, handle } = props
  const latest = useRef(props)
  latest.current = props
  const box = useRef<HTMLDivElement>(null)
  const barBox = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const emitted = useRef(value)
  const pointerDown = useRef(false)
  const [state, setState] = useState<EditorState>()
  const [hasFocus, setFocus] = useState(false)
  const [asking, setAsking] = useState<Asking>()

  /** Moves the focus into the bar at once, so that the next key goes there. */
  function focusBar(asks?: Asking): boolean {
    flushSync(() => {
      setFocus(true)
      if (asks) setAsking(asks)
    })
    barBox.current?.querySelector<HTMLElement>('button, input')?.focus()
    return true
  }

  function askForLink(): boolean {
    return focusBar({ what: 'link', href: linkAt(view.current!.state).href })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view lives as long as the field, and looks at the latest props.
  useLayoutEffect(() => {
    const made = new EditorView(box.current!, {
      state: newState(latest.current.value),
      attributes: () => attributesOf(latest.current),
      editable: () => !latest.current.readOnly,
      nodeViews: { picture: node => pictureView(node, latest.current.pictures!) },
      transformPastedHTML: keptHtml,
      clipboardTextParser: text => plainSlice(text),
      clipboardTextSerializer: copiedText,
      handlePaste: (_view, event) => pasted(event),
      handleDrop: (view, event) => {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        return takePictures([...(event.dataTransfer?.files ?? [])], at, event)
      },
      handleDOMEvents: {
        focus: () => {
          setFocus(true)
          // A browser puts the caret at the start, and the editor corrects that after 20 ms: the first key is quicker.
          if (!pointerDown.current) made.focus()
        },
        pointerdown: () => {
          pointerDown.current = true
        },
        pointerup: () => {
          pointerDown.current = false
          setState(made.state)
        }
      },
      dispatchTransaction(transaction) {
        const before = made.state
        made.updateState(made.state.apply(transaction))
        if (!pointerDown.current) setState(made.state)
        const isMoved = !before.selection.eq(made.state.selection)
        if (transaction.docChanged || isMoved) tell(before, transaction.docChanged)
      }
    })
    view.current = made
    made.dispatch(made.state.tr.setSelection(selectionIn(made.state.doc, takenOver ?? latest.current.caret)))
    if (takenOver) made.focus()
    return () => made.destroy()
  }, [])

  function newState(text: string): EditorState {
    const limit = new Plugin({
      filterTransaction: transaction => !transaction.docChanged || transaction.doc.content.size <= 500_000
    })
    const plugins = [...editorPlugins({ onLink: askForLink, onBar: () => focusBar() }), limit]
    return EditorState.create({ doc: readField(text), plugins })
  }

  /** Tells the page the text or the caret. */
  function tell(before: EditorState, isChanged: boolean): void {
    const now = view.current!.state
    const { text, offsetOf } = writeField(now.doc)
    const caret: [number, number] = [offsetOf(now.selection.from), offsetOf(now.selection.to)]
    if (!isChanged) {
      latest.current.onMove?.(caret)
      return
    }
    const had = picturesIn(before.doc)
    const has = picturesIn(now.doc)
    emitted.current = text
    latest.current.onChange(text, caret, {
      gone: [...had].filter(name => !has.has(name)),
      back: [...has].filter(name => !had.has(name))
    })
  }

  function insert(text: string, from: number, to: number): void {
    const { state } = view.current!
    const { positionOf } = writeField(state.doc)
    const at = TextSelection.between(state.doc.resolve(positionOf(from)), state.doc.resolve(positionOf(to)))
    const tr = state.tr.setSelection(at)
    if (text === '') tr.deleteSelection()
    else tr.replaceSelection(markdownSlice(text))
    // Ctrl Z undoes it, and nothing that was typed before.
    view.current!.dispatch(closeHistory(tr).scrollIntoView())
    view.current!.dispatch(closeHistory(view.current!.state.tr))
    view.current!.focus()
  }

  useImperativeHandle(handle, () => ({
    focus: () => view.current!.focus(),
    selection: () => {
      const { doc, selection } = view.current!.state
      const { offsetOf } = writeField(doc)
      return [offsetOf(selection.from), offsetOf(selection.to)]
    },
    insert
  }))

  function pasted(event: ClipboardEvent): boolean {
    const data = event.clipboardData
    const files = pastedFiles(data)
    // Word processors add a picture of what they copy.
    if (files.length > 0 && !data?.getData('text/html')) {
      if (takePictures(files, undefined, event)) return true
      latest.current.onFiles?.(files)
      return true
    }
    const { state, dispatch } = view.current!
    const text = data?.getData('text/plain').trim() ?? ''
    const href = state.selection.empty || !isLinkAddress(text) ? undefined : addressOf(text)
    if (!href || hasMark(state, marks.code!) || chosenPicture(state)) return false
    return setLink(state.selection, href)(state, dispatch.bind(view.current))
  }

  /** Puts pictures into the text, and leaves other files to the form. */
  function takePictures(files: File[], at: number | undefined, event: Event): boolean {
    const images = files.filter(({ type }) => /^image\/(png|jpeg|gif|webp|avif)$/.test(type))
    if (images.length === 0 || !latest.current.pictures || readOnly) return false
    event.preventDefault()
    addPictures(images, at)
    const others = files.filter(file => !images.includes(file))
    if (others.length > 0) latest.current.onFiles?.(others)
    return true
  }

  function addPictures(images: File[], at?: number): void {
    const names = latest.current.pictures!.add(images)
    // The files are among those of the message only then.
    setTimeout(() => {
      const { state, dispatch } = view.current!
      const { tr } = state
      const from = at ?? state.selection.from
      const to = at ?? state.selection.to
      tr.replaceWith(
        from,
        to,
        names.map(name => nodes.picture!.create({ name, alt: name.replace(/\.\w+$/, '') }))
      )
      tr.setSelection(TextSelection.near(tr.doc.resolve(from + names.length)))
      dispatch.call(view.current, tr.scrollIntoView())
      for (const name of names) announce(t('format.pictureAdded', { name }))
    })
  }

  // A text that did not come from here comes with its caret: another draft, a macro that is taken out, or nothing after it was sent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value alone counts.
  useLayoutEffect(() => {
    if (value === emitted.current) return
    emitted.current = value
    if (value === '') view.current!.updateState(newState(''))
    else {
      const { state } = view.current!
      const tr = state.tr.replaceWith(0, state.doc.content.size, readField(value).content)
      view.current!.updateState(state.apply(tr.setSelection(selectionIn(tr.doc, latest.current.caret))))
    }
    setState(view.current!.state)
  }, [value])

  // The attributes follow the props.
  useLayoutEffect(() => {
    view.current?.setProps({})
  })

  useEffect(() => {
    const up = () => {
      if (!pointerDown.current) return
      pointerDown.current = false
      setState(view.current?.state)
    }
    addEventListener('pointerup', up)
    return () => removeEventListener('pointerup', up)
  }, [])

  function run(format: Format): void {
    const { state, dispatch } = view.current!
    formatCommands[format](state, dispatch.bind(view.current))
    if (!barBox.current?.contains(document.activeElement)) view.current!.focus()
  }

  function answer(text: string | undefined): void {
    const { state, dispatch } = view.current!
    if (asking?.what === 'link') setLink(linkAt(state), text)(state, dispatch.bind(view.current))
    else if (state.selection instanceof NodeSelection) {
      const { from, node } = state.selection
      const tr = state.tr.setNodeMarkup(from, undefined, { ...node.attrs, alt: text ?? '' })
      dispatch.call(view.current, tr.setSelection(NodeSelection.create(tr.doc, from)))
    }
    leave()
  }

  function leave(): void {
    setAsking(undefined)
    view.current!.focus()
  }

  function removePicture(isKept: boolean): void {
    const { state, dispatch } = view.current!
    const chosen = chosenPicture(state)
    if (chosen && isKept) pictures?.keep(chosen.name)
    dispatch.call(view.current, state.tr.deleteSelection())
    view.current!.focus()
  }

  const isPicture = state !== undefined && chosenPicture(state) !== undefined
  const isChosen = state !== undefined && !state.selection.empty && !pointerDown.current && hasFocus && !readOnly
  const isAsked = asking !== undefined && hasFocus
  const shared = {
    formats: state ? formatsIn(state) : new Set<Format>(),
    isLink: state !== undefined && hasMark(state, marks.link!),
    asking,
    onFormat: run,
    onLink: askForLink,
    onDescribe: () => void focusBar({ what: 'description', alt: chosenPicture(view.current!.state)?.alt ?? '' }),
    onMakeFile: () => removePicture(true),
    onRemovePicture: () => removePicture(false),
    onAnswer: answer,
    onLeave: leave
  }
  const row = bar && (
    <FormatBar
      {...shared}
      ref={isPicture && isChosen ? null : barBox}
      className="format-bar row"
      isPicture={false}
      asking={isPicture ? undefined : asking}
      onPictures={pictures && bar === 'above' ? files => addPictures(files) : undefined}
    >
      {barEnd}
    </FormatBar>
  )
  // With a row it is about pictures alone.
  const floats = bar ? isPicture && (isChosen || isAsked) : isChosen || isAsked
  const floating = floats && (
    <FormatBar
      {...shared}
      ref={barBox}
      className="format-bar floating"
      style={placeOver(view.current, box.current)}
      isPicture={isPicture}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves the text and the bar together.
    <div
      className="rich-box"
      onBlur={event => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setFocus(false)
        setAsking(undefined)
      }}
    >
      {bar === 'above' && row}
      <div ref={box} className="rich-place" />
      {bar === 'below' && row}
      {floating}
    </div>
  )
}

/** The selection at these places of the Markdown. */
function selectionIn(doc: Node, [from, to]: [number, number]): Selection {
  const { positionOf } = writeField(doc)
  const at = (offset: number) => doc.resolve(Math.min(positionOf(offset), doc.content.size))
  return TextSelection.between(at(from), at(to))
}
