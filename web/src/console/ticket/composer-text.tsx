import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { OpenDraft } from '../../app/use-draft.ts'
import { t } from '../../lib/strings.ts'
import { useFieldShortcut } from '../../ui/shortcuts.ts'
import { textOfMacro, useMacros, useMentions } from './autocomplete-lists.tsx'
import type { ChosenMacro } from './chosen-macro.ts'
import styles from './composer.module.css'
import type { MessageKind } from './send-message.ts'
import { type Suggestion, SuggestionList, useSuggestions } from './suggestions.tsx'
import type { Detail } from './thread-types.ts'
import { insertAsTyped, wordAtCaret } from './word-at-caret.ts'

/** Lets the rest of the composer focus the text area and open its lists. */
export interface ComposerTextHandle {
  focus(): void
  /** Inserts the character that opens the list, as if it were typed. */
  openList(): void
  /** Inserts a macro, as if it were chosen from the list. */
  putIn(macro: { id: number; name: string }): void
}

interface ComposerTextProps {
  ref: Ref<ComposerTextHandle>
  detail: Detail
  kind: MessageKind
  draft: OpenDraft
  isBusy: boolean
  onChange(changed: { text: string; caret: [number, number] }): void
  /** A macro was chosen, and with it what it changes. */
  onMacro(macro: ChosenMacro): void
  onSubmit(): void
  onLeave(): void
}

/** The text area. `/` offers macros, and in notes `@` offers colleagues. Both are inserted at the caret, and Ctrl Z undoes them. */
export function ComposerText(props: ComposerTextProps) {
  const { ref, detail, kind, draft, isBusy, onChange, onMacro, onSubmit, onLeave } = props
  const area = useRef<HTMLTextAreaElement>(null)
  // The list was closed for this word, and stays closed until another word begins.
  const [closedAt, setClosedAt] = useState<number>()
  const { text, caret } = draft.draft
  const isNote = kind === 'note'
  const sign = isNote ? '@' : '/'
  const word = wordAtCaret(text, caret[1], [sign])
  const asked = word && word.from !== closedAt && !isBusy ? word : undefined
  const macros = useMacros(detail.ticket.id, isNote ? undefined : asked?.query, onMacro)
  const mentions = useMentions(detail, isNote ? asked?.query : undefined)
  const list = isNote ? mentions : macros
  useRestoredCaret(area, draft.state, caret)
  useFieldShortcut('Ctrl Enter', isNote ? t('thread.addNote') : t('thread.keySend'), 'writing')
  useFieldShortcut(sign, isNote ? t('thread.mention') : t('thread.insertCanned'), 'writing')
  useFieldShortcut('Escape', t('thread.keyLeave'), 'writing')

  const choose = async (option: Suggestion) => {
    const text = await list.textOf(option)
    if (asked && area.current && text !== undefined) insertAsTyped(area.current, text, asked.from, asked.to)
  }
  const suggestions = useSuggestions({
    isOpen: asked !== undefined,
    options: list.options,
    onChoose: option => void choose(option),
    onClose: () => setClosedAt(asked?.from)
  })

  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    async putIn(macro) {
      const text = await textOfMacro(detail.ticket.id, macro, onMacro)
      const { current } = area
      if (!current || current.readOnly || text === undefined) return
      insertAsTyped(current, text, current.selectionStart, current.selectionEnd)
    },
    openList() {
      if (!area.current || area.current.readOnly) return
      const { selectionStart: from, selectionEnd: to, value } = area.current
      setClosedAt(undefined)
      // A closed list is opened again.
      if (wordAtCaret(value, to, [sign])?.query === '') return area.current.focus()
      const needsGap = from > 0 && !/\s/.test(value[from - 1]!)
      insertAsTyped(area.current, `${needsGap ? ' ' : ''}${sign}`, from, to)
    }
  }))

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (suggestions.takeKey(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
    } else if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      // The first Esc leaves the field; the next one reaches the listeners further out.
      event.stopPropagation()
      event.currentTarget.blur()
      onLeave()
    }
  }

  return (
    <div className={styles.field}>
      {asked && (
        <SuggestionList
          id={suggestions.id}
          active={suggestions.active}
          name={list.name}
          label={list.labelFor(asked.query)}
          options={list.options}
          emptyText={list.emptyText}
          onChoose={option => void choose(option)}
        />
      )}
      <textarea
        ref={area}
        {...suggestions.areaProps}
        data-composer={kind}
        className={styles.text}
        aria-label={isNote ? t('thread.noteText') : t('thread.replyText')}
        aria-describedby="composer-to composer-reach"
        placeholder={isNote ? t('thread.notePlaceholder') : t('thread.replyPlaceholder')}
        dir="auto"
        maxLength={500_000}
        value={text}
        readOnly={isBusy || draft.state === 'loading'}
        onChange={({ target }) => {
          if (word?.from !== closedAt) setClosedAt(undefined)
          onChange({ text: target.value, caret: [target.selectionStart, target.selectionEnd] })
        }}
        onSelect={({ currentTarget: { selectionStart, selectionEnd, value } }) => {
          const isMoved = caret[0] !== selectionStart || caret[1] !== selectionEnd
          if (isMoved && value === text) draft.move([selectionStart, selectionEnd])
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

/** Restores the caret of a draft. */
function useRestoredCaret(
  area: { current: HTMLTextAreaElement | null },
  state: OpenDraft['state'],
  caret: [number, number]
) {
  const isRestored = useRef(false)
  useEffect(() => {
    if (state === 'loading') isRestored.current = false
    else if (!isRestored.current) {
      isRestored.current = true
      area.current?.setSelectionRange(...caret)
    }
  }, [state, caret, area])
}
