import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { useBlocker } from '../../lib/use-blocker.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface UnsavedChangesDialogProps {
  /** Whether there are unsaved changes. */
  hasChanges: boolean
  title: string
  /** Resolves to whether saving succeeded. */
  onSave: () => Promise<boolean>
}

/** Asks before unsaved changes are left: save them, discard them, or stay. */
export function UnsavedChangesDialog({ hasChanges, title, onSave }: UnsavedChangesDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const { isBlocked, proceed, stay } = useBlocker(hasChanges)
  if (!isBlocked) return null

  async function save() {
    setBusy(true)
    const isSaved = await onSave()
    setBusy(false)
    if (isSaved) proceed()
    // The errors are shown at the fields.
    else stay()
  }

  return (
    <Dialog
      title={title}
      open
      onClose={stay}
      footer={
        <>
          <Button variant="quiet" onClick={proceed}>
            {t('admin.discard')}
          </Button>
          <Button onClick={stay} autoFocus>
            {t('admin.stay')}
          </Button>
          <Button variant="primary" busy={isBusy} busyLabel={t('admin.saving')} onClick={() => void save()}>
            {t('admin.save')}
          </Button>
        </>
      }
    >
      <p>{t('admin.unsavedText')}</p>
    </Dialog>
  )
}
