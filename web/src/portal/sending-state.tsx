import { DesklineError } from '@deskline/client'
import { failureText } from '../app/failures.ts'
import { t } from '../lib/strings.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import type { Sending } from './use-sending.ts'

/** What stopped it, and how to try again; while files go up, how to stop them. */
export function SendingState({ sending, hasFiles }: { sending: Sending; hasFiles: boolean }) {
  const { state, send, cancel } = sending
  if (state.kind === 'failed') {
    return (
      <Banner tone="bad" action={{ label: t('portal-ticket.sendAgain'), onClick: send }}>
        {notSent(state.error)}
      </Banner>
    )
  }
  if (state.kind !== 'sending' || !hasFiles) return null
  return (
    <p>
      <Button variant="quiet" size="sm" onClick={cancel}>
        {t('portal-ticket.cancelSending')}
      </Button>
    </p>
  )
}

export function notSent(error: unknown): string {
  const isBroken = error instanceof DesklineError && error.status === 0
  if (isBroken) return t('portal-ticket.notSentConnection')
  if (wasSentBefore(error)) return t('portal-ticket.arrivedBefore')
  return t('portal-ticket.notSent', { cause: failureText(error) })
}

/** The key of this draft belongs to a text that has arrived before: the connection broke only after it. */
export function wasSentBefore(error: unknown): boolean {
  return error instanceof DesklineError && error.reason === 'idempotency_key_reused'
}
