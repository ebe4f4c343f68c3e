import type { KeyboardEvent, RefObject } from 'react'
import { can, useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { useFieldShortcut, useShortcut } from '../../ui/shortcuts.ts'
import { undoLast } from '../../ui/toast.tsx'
import { useNavigate } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import type { ListedTicket } from './ticket-list.ts'
import type { RowsHandle } from './ticket-rows.tsx'
import type { Selection } from './use-selection.ts'

interface ListKeys {
  rows: readonly ListedTicket[]
  cursorId: number | undefined
  openNumber: string | undefined
  isSelectable: boolean
  mayAssign: boolean
  selection: Selection
  handle: RefObject<RowsHandle | null>
  open(ticket: ListedTicket, how?: { replace: boolean }): void
  close(): void
  assignToMe(tickets: readonly ListedTicket[]): void
}

/** The shortcuts of the list. Returns the handler of the keys that work only within it. */
export function useListKeys(keys: ListKeys): (event: KeyboardEvent) => void {
  const { rows, cursorId, openNumber, selection, handle, open } = keys
  const isSplit = openNumber !== undefined
  const atOpen = rows.findIndex(row => row.ticket_number === openNumber)
  const at = isSplit && atOpen >= 0 ? atOpen : rows.findIndex(row => row.id === cursorId)
  const current = rows[at]

  // Beside an open ticket the keys open the next one; in a wide list they only move the cursor.
  function move(by: 1 | -1) {
    const to = rows[at < 0 ? 0 : at + by]
    if (!to) return
    if (isSplit) {
      open(to, { replace: true })
      handle.current?.revealRow(to.id)
    } else handle.current?.focusRow(to.id)
  }

  const group = 'list' as const
  useShortcut('j', t('inbox.keyNext'), () => move(1), { group })
  useShortcut('k', t('inbox.keyPrevious'), () => move(-1), { group })
  useFieldShortcut('ArrowDown', t('inbox.keyNext'), group)
  useFieldShortcut('ArrowUp', t('inbox.keyPrevious'), group)
  // Rows are links, so Enter follows them.
  useFieldShortcut('Enter', t('inbox.keyOpen'), group)
  useShortcut('x', t('inbox.keySelect'), () => current && selection.toggle(current), { group, when: keys.isSelectable })
  useShortcut('Shift x', t('inbox.keySelectRange'), () => current && selection.toggle(current, true), {
    group,
    when: keys.isSelectable
  })
  useShortcut(
    'v',
    t('inbox.keyWide'),
    () => (isSplit ? keys.close() : (current ?? rows[0]) && open(current ?? rows[0]!)),
    {
      group
    }
  )

  useShortcut('z', t('inbox.keyUndo'), () => undoLast(), { group: 'ticket' })

  const isSelecting = selection.ids.size > 0
  useShortcut('Escape', t('inbox.clearSelection'), () => selection.clear(), { group, when: isSelecting })
  useShortcut('Escape', t('inbox.keyBack'), event => isInField(event) || keys.close(), {
    group,
    when: isSplit && !isSelecting
  })
  useShortcut(
    'i',
    t('inbox.keyAssignMe'),
    () => keys.assignToMe(isSelecting ? selection.tickets : current ? [current] : []),
    {
      group,
      when: keys.mayAssign && (isSelecting || !isSplit)
    }
  )
  useShortcut('s', t('inbox.status'), () => press('s'), { group, when: isSelecting })
  useShortcut('a', t('inbox.assign'), () => press('a'), { group, when: isSelecting })
  useShortcut('p', t('inbox.priority'), () => press('p'), { group, when: isSelecting })
  useShortcut('d', t('inbox.department'), () => press('d'), { group, when: isSelecting })
  useShortcut('t', t('inbox.tag'), () => press('t'), { group, when: isSelecting })
  useShortcut('l', t('inbox.link'), () => press('l'), { group, when: isSelecting })
  useShortcut('m', t('inbox.macro'), () => press('m'), { group, when: isSelecting })
  useShortcut('h', t('inbox.snooze'), () => press('h'), { group, when: isSelecting })

  return event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const from = rows.findIndex(row => row.id === cursorId)
    const to = rows[from + (event.key === 'ArrowDown' ? 1 : -1)]
    event.preventDefault()
    if (to) handle.current?.focusRow(to.id)
  }
}

/** Esc leaves a field first. */
function isInField({ target }: Event): boolean {
  return target instanceof Element && target.matches('input:not([type="checkbox"]), textarea, select')
}

/** A key presses the visible control, so that one that is disabled explains itself. */
function press(name: string): void {
  document.querySelector<HTMLButtonElement>(`[data-bulk="${name}"]`)?.click()
}

/** The shortcuts that lead to the views and the other pages. */
export function useViewKeys(isOn: boolean): void {
  const navigate = useNavigate()
  const me = useMe()
  const go = (view: string) => navigate({ to: '/$view', params: { view } })
  const options = { group: 'goTo' as const, when: isOn }
  useShortcut('g m', t('inbox.viewMine'), () => go('mine'), options)
  useShortcut('g u', t('inbox.viewUnassigned'), () => go('unassigned'), options)
  useShortcut('g b', t('inbox.viewBreaching'), () => go('breaching'), options)
  useShortcut('g a', t('inbox.viewAll'), () => go('all'), options)
  useShortcut('g s', t('inbox.viewSnoozed'), () => go('snoozed'), options)
  const toClients = () => void navigate({ to: '/clients' })
  useShortcut('g c', t('console.clients'), toClients, { ...options, when: isOn && can('clients.view') })
  const toReports = () => void navigate({ to: '/reports' })
  useShortcut('g r', t('console.counts'), toReports, { ...options, when: isOn && pageAccess.reports(me) })
  const toMailLog = () => void navigate({ to: '/mail/log', search: { days: 7 } })
  useShortcut('g l', t('console.mailLog'), toMailLog, { ...options, when: isOn && pageAccess.mail(me) })
}
