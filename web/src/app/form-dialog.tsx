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
  /** Something that is no text of the form was changed. */
  isChanged?: boolean
  saveLabel: string
  /** While it runs: "Saving". */
  busyLabel?: string
  /** Named for what stays: "Discard", "Keep password". */
  keepLabel: string
  /** A destructive action is red. */
  tone?: 'primary' | 'confirm'
  /** Nothing can be done yet. */
  isDisabled?: boolean
  /** Does what the form is for. The dialog closes then, unless this answers `stay`. */
  onSave: (values: T) => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** A form over the page. What was typed is not lost by Esc; why it failed stands above the buttons, or at its field. */
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
