import type { ReactNode } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from '../ui/button.tsx'
import type { Icon } from '../ui/icon.tsx'
import { Link, type Target } from './navigation.ts'

type LinkButtonProps = Target & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: Icon
  block?: boolean
  children: ReactNode
}

/** A link that looks like a button. A middle click opens a tab. */
export function LinkButton({ variant, size, icon: Shown, block, children, ...target }: LinkButtonProps) {
  return (
    <Link {...target} className={buttonClass(variant, size, block && 'block')}>
      {Shown && <Shown size={16} aria-hidden />}
      {children}
    </Link>
  )
}
