import { Check } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, type ReactElement, useEffect } from 'react'
import { Keys } from './kbd.tsx'
import './menu.css'
import { type Align, type TriggerProps, usePopover } from './popover.ts'

export interface MenuItem {
  label?: string
  icon?: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** The keyboard shortcut: `r`, `Ctrl Enter`. */
  shortcut?: string | undefined
  checked?: boolean
  kind?: 'item' | 'checkbox' | 'separator'
  onSelect?: () => void
  href?: string
  danger?: boolean
  /** Why it cannot be chosen here. */
  disabledReason?: string | undefined
}

/** A menu of actions behind a button. Typing a letter moves to the next item that begins with it. */
export function Menu({
  trigger,
  items,
  align
}: {
  trigger: (props: TriggerProps) => ReactElement
  items: MenuItem[]
  align?: Align
}) {
  const popover = usePopover('menu', align)
  const { floating, open } = popover

  useEffect(() => {
    if (open) rowsOf(floating.current)[0]?.focus()
  }, [open, floating])

  function choose(item: MenuItem) {
    if (item.disabledReason) return
    // The focus is restored to the button before the action moves it.
    popover.hide()
    item.onSelect?.()
  }

  function move(event: KeyboardEvent) {
    const rows = rowsOf(floating.current)
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const next = nextRow(event, rows, at)
    if (next) {
      event.preventDefault()
      event.stopPropagation()
      next.focus()
    } else if (event.key === 'Tab') popover.hide()
    else if (event.key.length === 1) event.stopPropagation()
  }

  return (
    <>
      {trigger(popover.triggerProps)}
      <div ref={floating} id={popover.id} popover="auto" role="menu" className="menu" tabIndex={-1} onKeyDown={move}>
        {open && items.map((item, index) => <Row key={item.label ?? index} item={item} onChoose={choose} />)}
      </div>
    </>
  )
}

function Row({ item, onChoose }: { item: MenuItem; onChoose: (item: MenuItem) => void }) {
  if (item.kind === 'separator') return <hr className="menu-line" />
  const isCheckbox = item.kind === 'checkbox'
  const Shown = item.icon ?? (item.checked ? Check : undefined)
  const content = (
    <>
      {Shown ? <Shown size={16} aria-hidden /> : item.checked !== undefined && <span className="gap" />}
      <span className="label">
        {item.label}
        {item.disabledReason && <span className="why">{item.disabledReason}</span>}
      </span>
      {item.shortcut && (
        <span className="end" aria-hidden>
          <Keys keys={item.shortcut} />
        </span>
      )}
    </>
  )
  const shared = {
    className: item.danger ? 'opt danger' : 'opt',
    tabIndex: -1,
    'aria-keyshortcuts': item.shortcut?.replace('Ctrl ', 'Control+'),
    'aria-disabled': item.disabledReason ? (true as const) : undefined
  }
  if (item.href)
    return (
      <a {...shared} role="menuitem" href={item.href} onClick={() => onChoose(item)}>
        {content}
      </a>
    )
  return (
    <button
      {...shared}
      type="button"
      {...(isCheckbox ? { role: 'menuitemcheckbox', 'aria-checked': Boolean(item.checked) } : { role: 'menuitem' })}
      onClick={() => onChoose(item)}
    >
      {content}
    </button>
  )
}

function rowsOf(menu: Element | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
}

function nextRow(event: KeyboardEvent, rows: HTMLElement[], at: number): HTMLElement | undefined {
  if (event.key === 'ArrowDown') return rows[(at + 1) % rows.length]
  if (event.key === 'ArrowUp') return rows[(at - 1 + rows.length) % rows.length]
  if (event.key === 'Home') return rows[0]
  if (event.key === 'End') return rows.at(-1)
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey) return undefined
  const letter = event.key.toLowerCase()
  const inTurn = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
  return inTurn.find(row => row.querySelector('.label')?.textContent?.trim().toLowerCase().startsWith(letter))
}
