import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../lib/strings.ts'
import { Button, IconButton } from './button.tsx'
import './dialog.css'
import { TextField } from './field.tsx'

interface DialogProps {
  title: ReactNode
  open: boolean
  onClose: () => void
  size?: 400 | 620 | 860
  /** The dialog contains typed text, so Esc and a click outside do not close it. */
  guarded?: boolean
  footer?: ReactNode
  /** Only the controls inside the dialog can close it. */
  insistent?: boolean
  className?: string
  children?: ReactNode
}

/** A modal dialog. It focuses the element with `data-autofocus`, else the first field, and restores the focus when it closes. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

function OpenDialog({ title, onClose, size = 400, guarded, footer, insistent, className, children }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  const staysOpen = guarded || insistent

  useEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement
    element.showModal()
    firstFocus(element)?.focus()
    return () => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={['dialog', `w${size}`, className].filter(Boolean).join(' ')}
      onKeyDown={event => {
        if (event.key === 'Escape' && staysOpen) event.preventDefault()
      }}
      onCancel={event => {
        // File inputs and `details` elements inside the dialog also fire `cancel`.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!staysOpen) onClose()
      }}
      onPointerDown={event => {
        pressedOutside.current = isOutside(event)
      }}
      onClick={event => {
        if (pressedOutside.current && isOutside(event) && !staysOpen) onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {!insistent && <IconButton icon={X} label={t('ui.close')} onClick={onClose} />}
      </div>
      <div className="dialog-body">{children}</div>
      {footer && <div className="dialog-foot">{footer}</div>}
    </dialog>
  )
}

interface ConfirmDialogProps {
  title: ReactNode
  /** The consequences for other things. */
  text: ReactNode
  open?: boolean
  /** The name that has to be typed. */
  typed?: string
  /** "Delete" */
  confirmLabel: string
  /** Names what is kept: "Keep". */
  keepLabel: string
  busy?: boolean
  error?: ReactNode
  /** A destructive action is red. */
  tone?: 'confirm' | 'primary'
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return props.open === false ? null : <OpenConfirmDialog {...props} />
}

function OpenConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    text,
    typed,
    confirmLabel,
    keepLabel,
    busy,
    error,
    tone = 'confirm',
    onConfirm,
    onClose,
    children
  } = props
  const [text_, setText] = useState('')
  const fits = typed === undefined || text_.trim() === typed.trim()
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose} autoFocus={typed === undefined}>
            {keepLabel}
          </Button>
          <Button variant={tone} onClick={onConfirm} disabled={!fits} busy={busy ?? false}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="confirm-text">{text}</div>
      {children}
      {error && <p role="alert">{error}</p>}
      {typed !== undefined && (
        <TextField label={t('ui.typeToConfirm', { name: typed })} value={text_} onChange={setText} autoComplete="off" />
      )}
    </Dialog>
  )
}

function firstFocus(dialog: HTMLElement): HTMLElement | null {
  return (
    dialog.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)') ??
    dialog.querySelector<HTMLElement>(
      '.dialog-body :is(input:not([type="hidden"]), textarea, select):not(:disabled, .visually-hidden)'
    ) ??
    dialog.querySelector<HTMLElement>('.dialog-foot .btn') ??
    dialog.querySelector<HTMLElement>('button')
  )
}

function isOutside(event: { clientX: number; clientY: number; currentTarget: Element; target: EventTarget }): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
}
