import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DueTimes } from './due-times.tsx'

/** The due times of a ticket in a sheet, for phones. */
export function DueSheet({ ticket, onClose }: { ticket: number; onClose(): void }) {
  return (
    <Dialog title={t('due.heading')} open onClose={onClose}>
      <DueTimes ticket={ticket} hasClocks isSheet />
    </Dialog>
  )
}
