import { type FormEvent, type ReactNode, useId } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Form } from './form.ts'
import styles from './form-dialog.module.css'

interface FormDialogProps<T extends Record<string, string>> {
  title: ReactNode
  size?: 400 | 620
  form: Form<T>
  /** Whether something besides the text fields was changed. */
  isChanged?: boolean
  saveLabel: string
  /** The label while saving: "Saving". */
  busyLabel?: string
  /** Names what is kept or lost: "Discard", "Keep password". */
  keepLabel: string
  /** A destructive action is red. */
  tone?: 'primary' | 'confirm'
  /** The form cannot be submitted yet. */
  isDisabled?: boolean
  /** Submits the form. The dialog then closes, unless this resolves to `stay`. */
  onSave: (values: T) => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. Esc does not discard typed text. A failure is shown above the buttons or at its field. */
export function FormDialog<T extends Record<string, string>>(props: FormDialogProps<T>) {
  const { title, size = 400, form, isChanged, saveLabel, busyLabel, keepLabel, tone = 'primary', isDisabled } = props
  const { onSave, onClose, children } = props
  const id = useId()

  async function save(event: FormEvent) {
    let answer: unknown
    const isDone = await form.submit(async values => {
      answer = await onSave(values)
    }, event)
    if (isDone && answer !== 'stay') onClose()
  }

  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      size={size}
      guarded={form.isChanged || (isChanged ?? false)}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {keepLabel}
          </Button>
          <Button
            variant={tone}
            type="submit"
            form={id}
            busy={form.isBusy}
            busyLabel={busyLabel}
            disabled={isDisabled ?? false}
          >
            {saveLabel}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={event => void save(event)} className={styles.form} noValidate>
        {children}
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}
