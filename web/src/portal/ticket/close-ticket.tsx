import { Check } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { failureText } from '../../app/failures.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

/** Asks for confirmation, then closes the ticket. A new answer reopens it. */
export function CloseTicket({ id, onClosed }: { id: number; onClosed(): void }) {
  const [isAsked, setIsAsked] = useState(false)
  const closing = useApiMutation('/api/tickets/status', {
    onSuccess() {
      // An announcement within the dialog would be removed with it.
      flushSync(() => setIsAsked(false))
      announce(t('portal-ticket.closedNow'))
      onClosed()
    }
  })
  return (
    <>
      <Button icon={Check} onClick={() => setIsAsked(true)}>
        {t('portal-ticket.closeTicket')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        title={t('portal-ticket.closeQuestion')}
        text={t('portal-ticket.closeText')}
        confirmLabel={t('portal-ticket.closeTicket')}
        keepLabel={t('portal-ticket.keepOpen')}
        tone="primary"
        busy={closing.isPending}
        error={closing.error && failureText(closing.error)}
        onConfirm={() => closing.mutate({ id, status: 'Closed' })}
        onClose={() => setIsAsked(false)}
      />
    </>
  )
}
