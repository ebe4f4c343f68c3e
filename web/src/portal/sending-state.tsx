import { DesklineError } from '@deskline/client'
import { failureText } from '../app/failures.ts'
import { t } from '../lib/strings.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import type { Sending } from './use-sending.ts'

/** The reason why a send failed, and a button to retry. */
export function SendFailure({ state, send }: Sending) {
  if (state.kind !== 'failed') return null
  return (
    <Banner tone="bad" action={{ label: t('portal-ticket.sendAgain'), onClick: send }}>
      {sendFailureText(state.error)}
    </Banner>
  )
}

/** Cancels an upload. It is placed after the send button, so that a double click on that does not hit it. */
export function CancelSend({ state, cancel, hasFiles }: Sending & { hasFiles: boolean }) {
  if (state.kind !== 'sending' || !hasFiles) return null
  return (
    <Button variant="quiet" onClick={cancel}>
      {t('portal-ticket.cancelSending')}
    </Button>
  )
}

export function sendFailureText(error: unknown): string {
  const isBroken = error instanceof DesklineError && error.status === 0
  if (isBroken) return t('portal-ticket.notSentConnection')
  if (wasSentBefore(error)) return t('portal-ticket.arrivedBefore')
  return t('portal-ticket.notSent', { cause: failureText(error) })
}

/** Whether an earlier attempt with the key of this draft has arrived: the connection broke after it. */
export function wasSentBefore(error: unknown): boolean {
  return error instanceof DesklineError && error.reason === 'idempotency_key_reused'
}
