import { Check, Lock, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { t } from '../lib/strings.ts'
import { announce } from './announce.ts'
import { Keys } from './kbd.tsx'
import './picker.css'
import { type Align, type TriggerProps, usePopover } from './popover.ts'

export type PickId = string | number

interface PickItem<Id extends PickId = PickId> {
  id: Id
  label: string
  /** At the end of the row: "19 open". */
  hint?: ReactNode
  icon?: ReactNode
  /** Other words by which it is found. */
  words?: string
  /** Why it cannot be chosen. */
  lockedReason?: string | undefined
}

interface PickerBase<Id extends PickId> {
  /** The label: "Assign to". It is also the default placeholder of the search field. */
  label: string
  trigger: (props: TriggerProps) => ReactElement
  items: PickItem<Id>[]
  /** "Nobody with that name" */
  emptyText?: string
  shortcut?: string
  placeholder?: string
  align?: Align
  /** The items come from elsewhere: they are not filtered here. */
  onSearch?: (text: string) => void
  /** The item that is active when it opens; by default what is selected. */
  startAt?: Id
  /** The last row makes what was typed, unless there is an item of that name: "Create tag “urgent”". */
  create?: { label: (text: string) => string; onCreate: (text: string) => void } | undefined
  onOpen?: () => void
  /** Between the search field and the list: what else is chosen. */
  head?: (close: () => void) => ReactNode
}

type PickerProps<Id extends PickId> =
  | (PickerBase<Id> & { multiple?: false; selected?: Id | undefined; onChange: (id: Id) => void })
  | (PickerBase<Id> & { multiple: true; selected: Id[]; onChange: (ids: Id[]) => void })

/** One or some of many, by typing: the focus stays in the search field, and what is active is said from there. */
export function Picker<Id extends PickId>(props: PickerProps<Id>) {
  const popover = usePopover('listbox', props.align)
  return (
    <>
      {props.trigger(popover.triggerProps)}
      <div ref={popover.floating} id={popover.id} popover="auto" className="menu picker">
        {popover.open && <PickList {...props} onDone={() => popover.hide()} />}
      </div>
    </>
  )
}

function PickList<Id extends PickId>(props: PickerProps<Id> & { onDone: () => void }) {
  const { label, items, emptyText, shortcut, placeholder, onSearch, startAt, create, onOpen, head, onDone } = props
  const listId = useId()
  const [text, setText] = useState('')
  const selected: PickId[] = props.multiple ? props.selected : props.selected === undefined ? [] : [props.selected]
  const found = useMemo(() => (onSearch ? items : items.filter(item => fits(item, text))), [items, text, onSearch])
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      items.findIndex(item => (startAt === undefined ? selected.includes(item.id) : item.id === startAt))
    )
  )
  const name = text.trim()
  const isNew = create !== undefined && name !== '' && !items.some(({ label }) => plain(label) === plain(name))
  const last = isNew ? found.length : found.length - 1
  const at = Math.min(active, last)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens.
  useEffect(() => {
    document.getElementById(`${listId}-search`)?.focus()
    onOpen?.()
  }, [])
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, at])

  function choose(index: number) {
    if (isNew && index === found.length) {
      onDone()
      return create.onCreate(name)
    }
    const item = found[index]
    if (!item || item.lockedReason) return
    if (!props.multiple) {
      onDone()
      return props.onChange(item.id)
    }
    const has = props.selected.includes(item.id)
    props.onChange(has ? props.selected.filter(id => id !== item.id) : [...props.selected, item.id])
  }

  function press(event: KeyboardEvent) {
    const to = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (to !== undefined && !((event.key === 'Home' || event.key === 'End') && text)) {
      event.preventDefault()
      setActive(to)
    } else if (event.key === 'Enter' || (event.key === ' ' && props.multiple && !text)) {
      event.preventDefault()
      choose(at)
    } else if (event.key === 'Tab') onDone()
  }

  function type(typed: string) {
    setText(typed)
    setActive(0)
    onSearch?.(typed)
    if (!onSearch && !create && !items.some(item => fits(item, typed))) announce(emptyText ?? t('ui.nothingFound'))
  }

  return (
    <>
      <div className="picker-search">
        <Search size={14} aria-hidden />
        <input
          id={`${listId}-search`}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={last >= 0 ? `${listId}-${at}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={placeholder ?? label}
          value={text}
          onChange={event => type(event.target.value)}
          onKeyDown={press}
        />
        {shortcut && (
          <span aria-hidden>
            <Keys keys={shortcut} />
          </span>
        )}
      </div>
      {head?.(onDone)}
      <div
        id={listId}
        role="listbox"
        tabIndex={-1}
        className="picker-list"
        aria-label={label}
        aria-multiselectable={props.multiple || undefined}
      >
        {found.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
          <div
            key={item.id}
            id={`${listId}-${index}`}
            role="option"
            className="opt"
            aria-selected={index === at}
            aria-checked={props.multiple ? selected.includes(item.id) : undefined}
            aria-disabled={item.lockedReason ? true : undefined}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(index)}
          >
            {item.icon}
            <span className="label">
              <bdi>{item.label}</bdi>
            </span>
            <span className="end">
              {item.lockedReason ? (
                <>
                  <Lock size={12} aria-hidden /> {item.lockedReason}
                </>
              ) : (
                item.hint
              )}
              {selected.includes(item.id) && <Check className="chosen" size={14} aria-hidden />}
            </span>
          </div>
        ))}
        {isNew && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            id={`${listId}-${found.length}`}
            role="option"
            className="opt"
            aria-selected={at === found.length}
            onPointerMove={() => setActive(found.length)}
            onClick={() => choose(found.length)}
          >
            <Plus size={14} aria-hidden />
            <span className="label">{create.label(name)}</span>
          </div>
        )}
      </div>
      {last < 0 && <p className="picker-empty">{emptyText ?? t('ui.nothingFound')}</p>}
    </>
  )
}

function fits({ label, words }: PickItem, text: string): boolean {
  const place = plain(`${label} ${words ?? ''}`)
  return plain(text)
    .split(/\s+/)
    .every(word => place.includes(word))
}

/** "Özdemir" is found by "ozd". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
