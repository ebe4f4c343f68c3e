import { Search, Settings, User } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { nameOf } from '../../lib/person-name.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { useRouter } from '../../router/react.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { SearchSnippet } from '../../ui/search-snippet.tsx'
import { shownShortcut, useShortcuts } from '../../ui/shortcuts.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { type AdminHit, useAdminHits } from '../admin/admin-search.ts'
import { useNavigate } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { recentTickets } from '../recent-tickets.ts'
import { ticketNumberIn } from '../search/ticket-number.ts'
import type { KeyBuffer } from './key-buffer.ts'
import { useMacroLines } from './macro-lines.ts'
import styles from './palette.module.css'
import { matchesWords, type PaletteItem, uniqueTickets } from './palette-items.ts'

const groups = {
  recent: 'clients.paletteRecent',
  macros: 'clients.paletteMacros',
  tickets: 'clients.paletteTickets',
  clients: 'clients.paletteClients',
  here: 'clients.paletteThisTicket',
  go: 'clients.paletteGoTo'
} as const

/** The command palette (Ctrl or ⌘ K, also while typing): jumps to a ticket, a client or a page, or runs an action of the page. */
export function Palette({ early, onClose }: { early: KeyBuffer; onClose: () => void }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const lines = useLines(typed)
  const at = Math.min(active, lines.length - 1)

  useEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement
    element.showModal()
    return () => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
        opener.focus()
    }
  }, [])
  useEffect(() => {
    const text = early.take()
    if (text) setTyped(text)
  }, [early])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  function choose(line: PaletteItem | undefined, inNewTab: boolean) {
    if (!line || line.isLocked) return
    onClose()
    if (inNewTab && line.href) window.open(line.href, '_blank', 'noopener')
    // The focus is restored before the action moves it.
    else setTimeout(line.run)
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setActive((at + 1) % Math.max(1, lines.length))
    else if (event.key === 'ArrowUp') setActive((at - 1 + lines.length) % Math.max(1, lines.length))
    else if (event.key === 'Enter') choose(lines[at], event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does by key what a press beside it does.
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t('clients.palette')}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => event.target === dialog.current && onClose()}
    >
      <div className={styles.field}>
        <Search size={18} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-label={t('clients.palette')}
          aria-activedescendant={lines[at] && `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={press}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={t('clients.palette')} className={styles.lines} tabIndex={-1}>
        {lines.map((line, place) => (
          <Line
            key={line.id}
            id={`${id}-${place}`}
            line={line}
            isFirstOfGroup={lines[place - 1]?.group !== line.group}
            isActive={place === at}
            onPoint={() => setActive(place)}
            onChoose={inNewTab => choose(line, inNewTab)}
          />
        ))}
        {lines.length === 0 && <p className={styles.none}>{t('clients.paletteNone')}</p>}
      </div>
      <p className={styles.foot} aria-hidden>
        <span>
          <Keys keys="ArrowUp ArrowDown" /> {t('clients.paletteChoose')}
        </span>
        <span>
          <Keys keys="Enter" /> {t(lines[at]?.group === 'macros' ? 'clients.paletteInsert' : 'clients.paletteOpen')}
        </span>
        <span>
          <Keys keys="Esc" /> {t('clients.paletteClose')}
        </span>
        <span className={styles.actionsOnly}>{t('clients.paletteActionsOnly')}</span>
      </p>
    </dialog>
  )
}

interface LineProps {
  id: string
  line: PaletteItem
  isFirstOfGroup: boolean
  isActive: boolean
  onPoint: () => void
  onChoose: (inNewTab: boolean) => void
}

function Line({ id, line, isFirstOfGroup, isActive, onPoint, onChoose }: LineProps) {
  const { icon: Shown, status } = line
  return (
    <>
      {isFirstOfGroup && (
        <p className={styles.group} role="presentation">
          {t(groups[line.group])}
        </p>
      )}
      {/* biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the field, which chooses by key. */}
      <div
        id={id}
        role="option"
        aria-selected={isActive}
        aria-disabled={line.isLocked}
        className={styles.line}
        onPointerMove={() => isActive || onPoint()}
        onPointerDown={event => event.preventDefault()}
        onClick={event => onChoose(event.ctrlKey || event.metaKey)}
      >
        {status ? <StatusIcon status={status} /> : Shown && <Shown size={16} aria-hidden />}
        <bdi className={styles.label}>{line.label}</bdi>
        {line.detail && (
          <span className={styles.detail}>
            <SearchSnippet text={line.detail} />
          </span>
        )}
        {line.number && <span className={styles.number}>{line.number}</span>}
        {line.shortcut && <Keys keys={line.shortcut} />}
      </div>
    </>
  )
}

/** The matches: at once actions and pages, and from two letters on the results of the search. */
function useLines(typed: string): PaletteItem[] {
  const me = useMe()
  const navigate = useNavigate()
  const router = useRouter()
  const shortcuts = useShortcuts()
  const isActionsOnly = typed.startsWith('>')
  const words = (isActionsOnly ? typed.slice(1) : typed).trim()
  const asked = useDebounced(isActionsOnly ? '' : words, 120)
  const { data } = useApiQuery(
    '/api/admin/search',
    { query: asked, limit: 20 },
    { enabled: asked.length >= 2, placeholderData: before => before, retry: false }
  )
  const hits = words.length >= 2 && !isActionsOnly ? (data?.results ?? []) : []
  const settings = useSettings(isActionsOnly ? '' : words)
  const macros = useMacroLines(asked)
  const lines: PaletteItem[] = words.length >= 2 && !isActionsOnly ? [...macros] : []
  const openTicket = (number: string, id: string, extra: Partial<PaletteItem>): PaletteItem => ({
    id,
    group: 'tickets',
    label: number,
    href: `/desk/all/${number}`,
    run: () => void navigate({ to: '/$view/$ticket', params: { view: 'all', ticket: number } }),
    ...extra
  })

  if (typed === '')
    // The one that is open is no place to go to.
    for (const { ticket_number, subject, status, client } of recentTickets(me.id))
      if (!location.pathname.endsWith(`/${ticket_number}`))
        lines.push(
          openTicket(ticket_number, `recent ${ticket_number}`, {
            group: 'recent',
            status,
            label: subject,
            detail: client,
            number: ticket_number
          })
        )
  const number = ticketNumberIn(words)
  if (number)
    lines.push(openTicket(number, 'number', { icon: Search, label: t('clients.paletteOpenNumber', { number }) }))
  for (const { ticket, client } of uniqueTickets(hits).slice(0, 5))
    lines.push(
      openTicket(ticket!.ticket_number, `ticket ${ticket!.id}`, {
        status: ticket!.status,
        label: ticket!.subject,
        detail: nameOf(client),
        number: ticket!.ticket_number
      })
    )
  if (me.can('clients.view'))
    for (const { client } of hits.filter(({ kind }) => kind === 'client').slice(0, 4))
      lines.push({
        id: `client ${client.id}`,
        group: 'clients',
        icon: User,
        label: nameOf(client),
        detail: client.email,
        href: `/desk/clients/${client.id}`,
        run: () => void navigate({ to: '/clients/$id', params: { id: String(client.id) } })
      })
  const known = new Set<string>()
  for (const { key, label, group, handler } of shortcuts) {
    if (!handler || key === 'Ctrl k' || known.has(label) || (words && !matchesWords(label, words))) continue
    if (group === 'list' || (!words && group === 'everywhere')) continue
    known.add(label)
    lines.push({
      id: `key ${key}`,
      group: group === 'ticket' ? 'here' : 'go',
      label,
      shortcut: shownShortcut(key),
      run: () => handler(new KeyboardEvent('keydown'))
    })
  }
  for (const { id, title, path, target } of settings.slice(0, 5))
    lines.push({
      id: `setting ${id}`,
      group: 'go',
      icon: Settings,
      label: title,
      detail: path,
      href: router.hrefOf(target),
      run: () => void navigate(target)
    })
  if (words && !isActionsOnly)
    lines.push({
      id: 'search',
      group: 'go',
      icon: Search,
      label: t('clients.paletteSearchFor', { query: words }),
      href: `/desk/search?q=${encodeURIComponent(words)}`,
      run: () => void navigate({ to: '/search', search: { q: words } })
    })
  const order = Object.keys(groups)
  return lines.sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group))
}

/** The pages and settings of the administration that match; none until their strings are there. */
function useSettings(words: string): AdminHit[] {
  const isFor = pageAccess.administration(useMe())
  const [areLoaded, setLoaded] = useState(false)
  const isSearching = isFor && words.length >= 2
  useEffect(() => {
    if (isSearching) void Promise.resolve(loadStrings('admin')).then(() => setLoaded(true))
  }, [isSearching])
  const hits = useAdminHits(areLoaded && isSearching ? words : '')
  return areLoaded && isSearching ? hits : []
}
