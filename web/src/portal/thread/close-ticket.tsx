import { Check } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '../../app/failures.ts'
import { useDeskWrite } from '../../app/queries.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

/** Closing asks once; writing opens the ticket again. */
export function CloseTicket({ id, onClosed }: { id: number; onClosed(): void }) {
  const [isAsked, setIsAsked] = useState(false)
  const closing = useDeskWrite('/api/tickets/status', {
    onSuccess() {
      setIsAsked(false)
      announce(t('portal.closedNow'))
      onClosed()
    }
  })
  return (
    <>
      <Button icon={Check} onClick={() => setIsAsked(true)}>
        {t('portal.closeTicket')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        title={t('portal.closeQuestion')}
        text={t('portal.closeText')}
        confirmLabel={t('portal.closeTicket')}
        keepLabel={t('portal.keepOpen')}
        tone="primary"
        busy={closing.isPending}
        error={closing.error && failureText(closing.error)}
        onConfirm={() => closing.mutate({ id, status: 'Closed' })}
        onClose={() => setIsAsked(false)}
      />
    </>
  )
}
