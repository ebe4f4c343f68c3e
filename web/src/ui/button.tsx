import { LoaderCircle } from 'lucide-react'
import { type AriaAttributes, type MouseEvent, type ReactNode, type Ref, useId } from 'react'
import { announce } from './announce.ts'
import './button.css'
import type { Icon } from './icon.tsx'

export type ButtonVariant = 'plain' | 'primary' | 'quiet' | 'danger' | 'confirm' | 'note'
export type ButtonSize = 'sm' | 'md' | 'lg'

interface ButtonProps extends AriaAttributes {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: Icon
  /** While busy, the button cannot be pressed again and keeps its width. */
  busy?: boolean
  /** "Sending" */
  busyLabel?: string | undefined
  disabled?: boolean
  /** The reason why it is disabled, shown beside it. The button can still be focused, and announces the reason when it is pressed. */
  reason?: string | undefined
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined
  type?: 'button' | 'submit'
  form?: string
  block?: boolean
  className?: string
  ref?: Ref<HTMLButtonElement>
  /** The dialog focuses this button when it opens. */
  autoFocus?: boolean
  children: ReactNode
}

/** The classes of a button, for links that look like one. */
export function buttonClass(
  variant: ButtonVariant = 'plain',
  size: ButtonSize = 'md',
  ...more: (string | false | undefined)[]
) {
  return ['btn', variant !== 'plain' && variant, size !== 'md' && size, ...more].filter(Boolean).join(' ')
}

export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    icon,
    busy,
    busyLabel,
    disabled,
    reason,
    onClick,
    type,
    block,
    className,
    children,
    autoFocus,
    ...rest
  } = props
  const reasonId = useId()
  const explains = Boolean(disabled && reason)
  const Shown = busy ? LoaderCircle : icon

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy || explains) event.preventDefault()
    if (explains) announce(reason!)
    else if (!busy) onClick?.(event)
  }

  const button = (
    <button
      {...rest}
      type={type ?? 'button'}
      className={buttonClass(variant, size, block && 'block', className)}
      disabled={disabled && !explains}
      aria-disabled={explains || busy || undefined}
      aria-busy={busy || undefined}
      aria-describedby={explains ? reasonId : rest['aria-describedby']}
      data-autofocus={autoFocus || undefined}
      onClick={press}
    >
      {Shown && <Shown size={16} aria-hidden />}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
  if (!explains) return button
  return (
    <span className="btn-with-reason">
      {button}
      <span className="reason" id={reasonId}>
        {reason}
      </span>
    </span>
  )
}

interface IconButtonProps extends AriaAttributes {
  icon: Icon
  label: string
  /** The keyboard shortcut: `r`, `Ctrl K`. */
  shortcut?: string
  pressed?: boolean
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  size?: number
  disabled?: boolean
  type?: 'button' | 'submit'
  className?: string
  tabIndex?: number
  ref?: Ref<HTMLButtonElement>
}

/** A button with only an icon. A tooltip shows its name and key. */
export function IconButton({
  icon: Shown,
  label,
  shortcut,
  pressed,
  size = 16,
  className,
  type,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={className ? `icon-btn ${className}` : 'icon-btn'}
      aria-label={label}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut?.replace('Ctrl ', 'Control+').replace('Shift ', 'Shift+')}
      data-tip={label}
      data-tip-keys={shortcut}
    >
      <Shown size={size} aria-hidden />
    </button>
  )
}
