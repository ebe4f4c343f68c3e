import { ChevronDown } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Button, buttonClass } from './button.tsx'
import { Menu, type MenuItem } from './menu.tsx'

interface SplitButtonProps {
  label: string
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  type?: 'button' | 'submit'
  menu: MenuItem[]
  /** The accessible name of the chevron: "Other ways to send". */
  menuLabel: string
  disabled?: boolean
  busy?: boolean
  busyLabel?: string
}

/** A button for the default action, with a menu of the alternatives beside it. */
export function SplitButton({ label, menu, menuLabel, ...main }: SplitButtonProps) {
  return (
    <span className="split">
      <Button {...main} variant="primary">
        {label}
      </Button>
      <Menu
        items={menu}
        align="end"
        trigger={trigger => (
          <button
            {...trigger}
            type="button"
            className={buttonClass('primary')}
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
