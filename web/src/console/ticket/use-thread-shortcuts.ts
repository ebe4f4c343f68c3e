import { flushSync } from 'react-dom'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { statusLabel } from '../../ui/status-icon.tsx'
import { assignmentTo } from './property-pickers.tsx'
import type { MessageKind } from './send-message.ts'
import type { Ticket } from './thread-types.ts'
import type { TicketChange } from './use-ticket-change.ts'

interface Asked {
  ticket: Ticket
  mayReply: boolean
  mayAssign: boolean
  mayEdit: boolean
  maySnooze: boolean
  /** Renders at once what is still deferred, because a key needs it. */
  paintAll(): void
  onKind(kind: MessageKind): void
  toggleDetails(): void
  toggleWatching(): void
  showEmails(): void
  /** Shows the details. */
  showDetails(): void
  change(change: TicketChange): Promise<unknown>
  mayForward: boolean
  onForward(): void
  maySplit: boolean
  onSplit(): void
}

/** The shortcuts of an open ticket. They press the visible controls. */
export function useThreadShortcuts(asked: Asked): void {
  const {
    ticket,
    mayReply,
    mayAssign,
    mayEdit,
    maySnooze,
    paintAll,
    onKind,
    toggleDetails,
    toggleWatching,
    showEmails,
    showDetails,
    change
  } = asked
  const { maySplit, onSplit, mayForward, onForward } = asked
  const me = useMe()
  const group = 'ticket' as const
  const write = (kind: MessageKind) => {
    // At once: the next key belongs to the text.
    flushSync(() => {
      paintAll()
      onKind(kind)
    })
    focusComposer(kind)
  }
  const open = (property: string) => {
    paintAll()
    if (pressProperty(property)) return
    showDetails()
    requestAnimationFrame(() => pressProperty(property))
  }
  useShortcut('r', t('thread.reply'), () => write('reply'), { group, when: mayReply })
  useShortcut('n', t('thread.note'), () => write('note'), { group, when: mayReply })
  useShortcut('s', t('thread.setStatus'), () => open('status'), { group, when: mayEdit })
  useShortcut('e', t('thread.closeTicket'), () => closeTicket(), { group, when: mayEdit })
  useShortcut('p', t('thread.setPriority'), () => open('priority'), { group, when: mayEdit })
  useShortcut('a', t('thread.assignTo'), () => open('assignee'), { group, when: mayAssign })
  useShortcut('t', t('thread.setTags'), () => open('tags'), { group, when: mayReply })
  useShortcut('d', t('thread.moveTo'), () => open('department'), { group, when: mayEdit })
  useShortcut('l', t('links.add'), () => open('links'), { group, when: mayEdit })
  useShortcut('o', t('side.forward'), onForward, { group, when: mayForward })
  useShortcut('Shift s', t('links.splitKey'), onSplit, { group, when: maySplit })
  useShortcut('u', t('thread.keyWhyDue'), () => open('due'), { group, when: ticket.sla !== null })
  useShortcut('f', t('thread.keyEmptyField'), () => open('empty-field'), { group, when: mayEdit })
  useShortcut('h', t('thread.keySnooze'), () => snooze(), { group, when: maySnooze })
  useShortcut('w', t('thread.keyWatch'), toggleWatching, { group })
  useShortcut('Shift m', t('thread.emailsHere'), showEmails, { group })
  useShortcut('.', t('thread.details'), toggleDetails, { group })
  const closeTicket = () => {
    const status = 'Closed' as const
    // While several rows are selected it is not clear which tickets are meant.
    if (ticket.status === status || document.querySelector('[data-bulk]')) return
    const done = t('thread.statusSet', { status: statusLabel(status) })
    void change({ path: '/api/admin/tickets/status', body: { status }, looks: { status }, done })
  }
  const snooze = () => {
    if (!document.querySelector('[data-bulk]')) open('snooze')
  }
  const take = () => {
    if (ticket.assignee?.id !== me.id) void change(assignmentTo({ id: me.id, name: me.name }))
  }
  useShortcut('i', t('thread.assignToMe'), take, { group, when: mayAssign })
}

/** Presses the visible control of a property. */
export function pressProperty(property: string): boolean {
  const controls = [...document.querySelectorAll<HTMLElement>(`[data-property="${property}"]`)]
  const seen = controls.find(control => control.checkVisibility())
  seen?.click()
  return seen !== undefined
}

function focusComposer(kind: MessageKind): void {
  const text = document.querySelector<HTMLElement>(`[data-composer="${kind}"]`)
  // On phones the composer is one line until it is opened.
  if (text && !text.checkVisibility()) document.querySelector<HTMLElement>(`[data-begin="${kind}"]`)?.click()
  else text?.focus()
}
