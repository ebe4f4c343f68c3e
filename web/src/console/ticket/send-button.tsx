import { AlarmClock, StickyNote, Zap } from 'lucide-react'
import { can } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { SplitButton } from '../../ui/split-button.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import type { SendChoice } from '../preferences.ts'
import type { MessageKind } from './send-message.ts'
import type { Ticket } from './thread-types.ts'

interface SendButtonProps {
  kind: MessageKind
  choice: SendChoice
  onChoose(changed: Partial<SendChoice>): void
  onSend(changed: Partial<SendChoice>): void
  ticket: Ticket
  isBusy: boolean
  isEmpty: boolean
  isMacroAlone: boolean
  /** Sending is disabled; the reason is shown beside the button. */
  isStopped: boolean
}

const labels = {
  Answered: 'thread.sendAnswered',
  'In Progress': 'thread.sendInProgress',
  Closed: 'thread.sendClosed'
} as const

/** Sends in the way that was used last. The menu has the other ways and the options. */
export function SendButton(props: SendButtonProps) {
  const { kind, choice, onChoose, onSend, ticket, isBusy, isEmpty, isMacroAlone, isStopped } = props
  if (isMacroAlone && kind === 'reply') {
    return (
      <Button
        type="submit"
        variant="primary"
        icon={Zap}
        busy={isBusy}
        busyLabel={t('thread.sending')}
        disabled={isStopped}
      >
        {t('thread.applyMacro')}
      </Button>
    )
  }
  if (kind === 'note') {
    return (
      <Button type="submit" variant="note" icon={StickyNote} busy={isBusy} busyLabel={t('thread.addingNote')}>
        {t('thread.addNote')}
      </Button>
    )
  }
  const ways = (
    can('tickets.edit_status') ? ['Answered', 'In Progress', 'Closed'] : ['Answered']
  ) as SendChoice['status'][]
  const menu: MenuItem[] = [
    ...ways.map(status => ({
      label: t(labels[status]),
      icon: glyphs[status],
      shortcut: status === choice.status ? 'Ctrl Enter' : undefined,
      onSelect: () => {
        onChoose({ status })
        if (!isEmpty) onSend({ status })
      }
    })),
    ...(ticket.snooze
      ? [{ label: t('thread.sendAndWake'), icon: AlarmClock, onSelect: () => onSend({ wakes: true }) }]
      : []),
    { kind: 'separator' },
    {
      kind: 'checkbox',
      label: t('thread.thenNext'),
      checked: choice.opensNext,
      onSelect: () => onChoose({ opensNext: !choice.opensNext })
    },
    ...(ticket.assignee === null
      ? [
          {
            kind: 'checkbox' as const,
            label: t('thread.thenTake'),
            checked: choice.takes,
            onSelect: () => onChoose({ takes: !choice.takes })
          }
        ]
      : [])
  ]
  return (
    <SplitButton
      label={t(labels[choice.status])}
      type="submit"
      menu={menu}
      menuLabel={t('thread.otherWays')}
      busy={isBusy}
      busyLabel={t('thread.sending')}
      disabled={isStopped}
    />
  )
}

const glyphs = {
  Answered: () => <StatusIcon status="Answered" aria-hidden />,
  'In Progress': () => <StatusIcon status="In Progress" aria-hidden />,
  Closed: () => <StatusIcon status="Closed" aria-hidden />
}
