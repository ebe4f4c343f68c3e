import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { adminFailureText } from './admin-failure-text.ts'

interface AsyncConfirmDialogProps {
  title: string
  text: ReactNode
  /** The name that has to be typed. */
  typed?: string
  confirmLabel: string
  /** Named for what stays. */
  keepLabel: string
  /** What destroys nothing is not red. */
  isHarmless?: boolean
  /** Closes the dialog itself, once it is done. */
  onConfirm: () => Promise<unknown>
  /** Why it failed, in other words than those of the administration. */
  failureText?: (error: unknown) => string
  onClose: () => void
  children?: ReactNode
}

/** A question before something is done. It stays open while that runs, and says in its place why it failed. */
export function AsyncConfirmDialog({
  onConfirm,
  isHarmless,
  failureText = adminFailureText,
  ...dialog
}: AsyncConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function confirm() {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
    } catch (cause) {
      setError(failureText(cause))
      setBusy(false)
    }
  }

  return (
    <ConfirmDialog
      {...dialog}
      tone={isHarmless ? 'primary' : 'confirm'}
      busy={isBusy}
      error={error}
      onConfirm={() => void confirm()}
    />
  )
}
