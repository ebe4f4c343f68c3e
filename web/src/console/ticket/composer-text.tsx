import { BookOpen } from 'lucide-react'
import { type KeyboardEvent, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import type { OpenDraft } from '../../app/use-draft.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { RichField } from '../../ui/rich-field.tsx'
import type { Pictures, PicturesMoved, TextFieldHandle } from '../../ui/rich-field-props.ts'
import { useFieldShortcut } from '../../ui/shortcuts.ts'
import { useHasFormatBar, useWritesPlain } from '../preferences.ts'
import { type AutocompleteList, textOfMacro, useMacros, useMentions } from './autocomplete-lists.tsx'
import type { ChosenMacro } from './chosen-macro.ts'
import styles from './composer.module.css'
import type { MessageKind } from './send-message.ts'
import { type Suggestion, SuggestionList, useSuggestions } from './suggestions.tsx'
import type { Detail } from './thread-types.ts'
import { wordAtCaret } from './word-at-caret.ts'

const ArticlePicker = lazyPart(async () => {
  const [{ ArticlePicker }] = await Promise.all([import('./article-picker.tsx'), loadStrings('articles')])
  return { default: ArticlePicker }
})

/** Lets the rest of the composer focus the text area and open its lists. */
export interface ComposerTextHandle {
  focus(): void
  /** Inserts the character that opens the list, as if it were typed. */
  openList(): void
  /** Opens the search for an article. */
  openArticles(): void
  /** Inserts a macro, as if it were chosen from the list. */
  putIn(macro: { id: number; name: string }): void
}

interface ComposerTextProps {
  ref: Ref<ComposerTextHandle>
  detail: Detail
  kind: MessageKind
  draft: OpenDraft
  isBusy: boolean
  pictures: Pictures
  onChange(changed: { text: string; caret: [number, number] }, pictures: PicturesMoved | undefined): void
  /** Files that are pasted and do not stand in the text. */
  onFiles(files: File[]): void
  /** A macro was chosen, and with it what it changes. */
  onMacro(macro: ChosenMacro): void
  onSubmit(): void
  onLeave(): void
}

/** The text. `/` offers macros, and in notes `@` offers colleagues. Both are inserted at the caret, and Ctrl Z undoes them. */
export function ComposerText(props: ComposerTextProps) {
  const { ref, detail, kind, draft, isBusy, pictures, onChange, onFiles, onMacro, onSubmit, onLeave } = props
  const field = useRef<TextFieldHandle>(null)
  const isPlain = useWritesPlain()
  const hasBar = useHasFormatBar()
  // The list was closed for this word, and stays closed until another word begins.
  const [closedAt, setClosedAt] = useState<number>()
  const { text, caret } = draft.draft
  const isNote = kind === 'note'
  const sign = isNote ? '@' : '/'
  const word = wordAtCaret(text, caret[1], [sign])
  const asked = word && word.from !== closedAt && !isBusy ? word : undefined
  const macros = useMacros(detail.ticket, isNote ? undefined : asked?.query, onMacro)
  const mentions = useMentions(detail, isNote ? asked?.query : undefined)
  const list = isNote ? mentions : withArticles(macros, asked?.query)
  // Where the text goes on once an article is chosen.
  const [picking, setPicking] = useState<[number, number]>()
  useFieldShortcut('Ctrl Enter', isNote ? t('thread.addNote') : t('thread.keySend'), 'writing')
  useFieldShortcut(sign, isNote ? t('thread.mention') : t('thread.insertCanned'), 'writing')
  useFieldShortcut('Escape', t('thread.keyLeave'), 'writing')

  const choose = async (option: Suggestion) => {
    if (asked && option.id === articlesOption) {
      setClosedAt(asked.from)
      return setPicking([asked.from, asked.to])
    }
    const text = await list.textOf(option)
    if (asked && text !== undefined) field.current?.insert(text, asked.from, asked.to)
  }
  const suggestions = useSuggestions({
    isOpen: asked !== undefined,
    options: list.options,
    onChoose: option => void choose(option),
    onClose: () => setClosedAt(asked?.from)
  })

  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    async putIn(macro) {
      const text = await textOfMacro(detail.ticket.id, macro, onMacro)
      if (field.current && !isBusy && text !== undefined) field.current.insert(text, ...field.current.selection())
    },
    openArticles: () => !isBusy && setPicking(field.current?.selection()),
    openList() {
      if (!field.current || isBusy) return
      const [from, to] = field.current.selection()
      setClosedAt(undefined)
      // A closed list is opened again.
      if (wordAtCaret(text, to, [sign])?.query === '') return field.current.focus()
      const needsGap = from > 0 && !/\s/.test(text[from - 1]!)
      field.current.insert(`${needsGap ? ' ' : ''}${sign}`, from, to)
    }
  }))

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (suggestions.takeKey(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
    } else if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      // The first Esc leaves the field; the next one reaches the listeners further out.
      event.preventDefault()
      event.stopPropagation()
      ;(event.target as HTMLElement).blur()
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
      {picking && (
        <Suspense>
          <ArticlePicker
            detail={detail}
            kind={kind}
            onInsert={inserted => {
              setPicking(undefined)
              field.current?.insert(inserted, ...picking)
              field.current?.focus()
            }}
            onLeave={() => setPicking(undefined)}
            onClose={() => {
              setPicking(undefined)
              // What opened it goes with it.
              if (word) field.current?.insert('', word.from, word.to)
              field.current?.focus()
            }}
          />
        </Suspense>
      )}
      <RichField
        key={kind}
        ref={field}
        isPlain={isPlain}
        areaProps={{
          ...suggestions.areaProps,
          'data-composer': kind,
          'aria-label': isNote ? t('thread.noteText') : t('thread.replyText'),
          'aria-describedby': 'composer-to composer-reach'
        }}
        className={styles.text}
        placeholder={isNote ? t('thread.notePlaceholder') : t('thread.replyPlaceholder')}
        maxLength={500_000}
        value={text}
        caret={caret}
        readOnly={isBusy}
        bar={hasBar ? 'below' : undefined}
        pictures={pictures}
        onChange={(text, caret, moved) => {
          if (word?.from !== closedAt) setClosedAt(undefined)
          onChange({ text, caret }, moved)
        }}
        onMove={draft.move}
        onKeyDown={onKeyDown}
        onFiles={onFiles}
      />
    </div>
  )
}

/** No macro has this id. */
const articlesOption = 0

/** Below the macros, the way to the articles. */
function withArticles(macros: AutocompleteList, query: string | undefined): AutocompleteList {
  const title = t('thread.insertArticle')
  if (query === undefined || !title.toLocaleLowerCase().includes(query.toLocaleLowerCase())) return macros
  const option = { id: articlesOption, title, icon: <BookOpen size={16} aria-hidden /> }
  return { ...macros, options: [...macros.options, option] }
}
