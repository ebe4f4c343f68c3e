import { ChevronDown } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Button, type ButtonSize, type ButtonVariant, buttonClass } from './button.tsx'
import type { Icon } from './icon.tsx'
import { Menu, type MenuItem } from './menu.tsx'

interface SplitButtonProps {
  label: string
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: Icon
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  type?: 'button' | 'submit'
  menu: MenuItem[]
  /** The accessible name of the chevron: "Other ways to send". */
  menuLabel: string
  disabled?: boolean
  reason?: string | undefined
  busy?: boolean
  busyLabel?: string
}

/** A button for the default action, with a menu of the alternatives beside it. */
export function SplitButton({ label, menu, menuLabel, variant = 'primary', size, ...main }: SplitButtonProps) {
  return (
    <span className="split">
      <Button {...main} variant={variant} {...(size && { size })}>
        {label}
      </Button>
      <Menu
        items={menu}
        align="end"
        trigger={trigger => (
          <button
            {...trigger}
            type="button"
            className={buttonClass(variant, size)}
            aria-label={menuLabel}
            disabled={main.busy}
          >
            <ChevronDown size={14} aria-hidden />
          </button>
        )}
      />
    </span>
  )
}
