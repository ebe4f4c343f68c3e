import type { DesklineError } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { StopPanel } from './stop-panel.tsx'
import type { Detail } from './thread-types.ts'

/** What blocks a ticket: those that this person sees, and how many others. */
export interface Blockers {
  seen: Pick<Detail['links'][number]['ticket'], 'ticket_number'>[]
  unseen: number
  /** Third parties whose answers closing waits for. */
  awaited: readonly { name: string }[]
}

/** From the refusal to close a ticket. */
export function blockersIn({ data }: DesklineError): Blockers {
  const {
    blocked_by: seen = [],
    blocked_by_unseen: unseen = 0,
    waiting_for: awaited = []
  } = (data ?? {}) as {
    blocked_by?: Blockers['seen']
    blocked_by_unseen?: number
    waiting_for?: Blockers['awaited']
  }
  return { seen, unseen, awaited }
}

interface BlockedTicketProps {
  blockers: Blockers
  /** The ways on, in words and what they do: the first closes the ticket. */
  ways: [close: { label: string; onClick(): void }, stay: { label: string; onClick(): void }]
  onLeave(): void
}

/** Shown if a ticket was not closed because another one blocks it. */
export function BlockedTicket({
  blockers: { seen, unseen, awaited },
  ways: [close, stay],
  onLeave
}: BlockedTicketProps) {
  const [only, ...others] = seen
  const number = only?.ticket_number ?? ''
  const isAwaited = seen.length + unseen === 0
  const names = listText(awaited.map(({ name }) => name))
  const isOne = only !== undefined && others.length + unseen === 0
  return (
    <StopPanel
      title={
        isAwaited
          ? t('side.notAnswered', { names })
          : isOne
            ? t('links.blockedBy', { number })
            : t('links.blockedByMore', { count: seen.length + unseen })
      }
      text={
        isAwaited ? t('side.notAnsweredText') : isOne ? t('links.blockedText', { number }) : t('links.blockedTextMore')
      }
      onLeave={onLeave}
      actions={
        <>
          <Button variant="primary" onClick={close.onClick}>
            {close.label}
          </Button>
          <Button onClick={stay.onClick}>{stay.label}</Button>
        </>
      }
    />
  )
}
