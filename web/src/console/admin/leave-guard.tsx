import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface LeaveGuardProps {
  /** There are changes that nobody has saved. */
  isOn: boolean
  title: string
  /** Answers whether it is saved. */
  onSave: () => Promise<boolean>
}

/** Asks before what was typed is left: save it, discard it, or stay. */
export function LeaveGuard({ isOn, title, onSave }: LeaveGuardProps) {
  const [isBusy, setBusy] = useState(false)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isOn,
    enableBeforeUnload: () => isOn,
    withResolver: true
  })
  if (status !== 'blocked') return null

  async function save() {
    setBusy(true)
    const isSaved = await onSave()
    setBusy(false)
    if (isSaved) proceed!()
    // What is wrong stands at its field.
    else reset!()
  }

  return (
    <Dialog
      title={title}
      open
      onClose={reset}
      footer={
        <>
          <Button variant="quiet" onClick={proceed}>
            {t('admin.discard')}
          </Button>
          <Button onClick={reset} autoFocus>
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
