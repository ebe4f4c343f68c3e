import { useState } from 'react'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import type { Ticket } from './thread-types.ts'
import { reloadDetail } from './ticket-cache.ts'
import { trashTicket } from './use-thread-actions.ts'

/** Asks for confirmation once, because the trash can be undone. */
export function TrashDialog({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const [state, setState] = useState<{ isBusy: boolean; error?: string }>({ isBusy: false })

  async function trash() {
    setState({ isBusy: true })
    try {
      await trashTicket(ticket)
      await reloadDetail(ticket.ticket_number)
      onClose()
    } catch (error) {
      setState({ isBusy: false, error: failureText(error) })
    }
  }

  return (
    <ConfirmDialog
      title={t('thread.trashTitle', { number: ticket.ticket_number })}
      text={t('thread.trashText', { name: ticket.client.first_name })}
      confirmLabel={t('thread.trashConfirm')}
      keepLabel={t('thread.keep')}
      busy={state.isBusy}
      error={state.error}
      onConfirm={() => void trash()}
      onClose={onClose}
    />
  )
}
