import type { DesklineError } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { StopPanel } from './stop-panel.tsx'
import type { Detail } from './thread-types.ts'

/** What blocks a ticket: those that this person sees, and how many others. */
export interface Blockers {
  seen: Pick<Detail['links'][number]['ticket'], 'ticket_number'>[]
  unseen: number
}

/** From the refusal to close a ticket. */
export function blockersIn({ data }: DesklineError): Blockers {
  const { blocked_by: seen = [], blocked_by_unseen: unseen = 0 } = (data ?? {}) as {
    blocked_by?: Blockers['seen']
    blocked_by_unseen?: number
  }
  return { seen, unseen }
}

interface BlockedTicketProps {
  blockers: Blockers
  /** The ways on, in words and what they do: the first closes the ticket. */
  ways: [close: { label: string; onClick(): void }, stay: { label: string; onClick(): void }]
  onLeave(): void
}

/** Shown if a ticket was not closed because another one blocks it. */
export function BlockedTicket({ blockers: { seen, unseen }, ways: [close, stay], onLeave }: BlockedTicketProps) {
  const [only, ...others] = seen
  const number = only?.ticket_number ?? ''
  const isOne = only !== undefined && others.length + unseen === 0
  return (
    <StopPanel
      title={isOne ? t('links.blockedBy', { number }) : t('links.blockedByMore', { count: seen.length + unseen })}
      text={isOne ? t('links.blockedText', { number }) : t('links.blockedTextMore')}
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
