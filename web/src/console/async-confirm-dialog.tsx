import type { ReactNode } from 'react'
import { useForm } from '../app/form.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { adminFailureText } from './admin-failure-text.ts'

interface AsyncConfirmDialogProps {
  title: string
  text: ReactNode
  /** The name that has to be typed. */
  typed?: string
  confirmLabel: string
  /** The label of the button that cancels. */
  keepLabel: string
  /** Whether the action destroys nothing, so that its button is not red. */
  isHarmless?: boolean
  /** Closes the dialog itself, once it is done. */
  onConfirm: () => Promise<unknown>
  /** Replaces the error messages of the administration. */
  failureText?: (error: unknown) => string
  onClose: () => void
  children?: ReactNode
}

/** A confirmation that stays open while its action runs, and shows the error if that fails. */
export function AsyncConfirmDialog({
  onConfirm,
  isHarmless,
  failureText = adminFailureText,
  ...dialog
}: AsyncConfirmDialogProps) {
  const form = useForm({}, { failureText })
  return (
    <ConfirmDialog
      {...dialog}
      tone={isHarmless ? 'primary' : 'confirm'}
      busy={form.isBusy}
      error={form.failure}
      onConfirm={() => void form.submit(onConfirm)}
    />
  )
}
