import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type ButtonSize, type ButtonVariant, buttonClass } from '../ui/button.tsx'
import type { Icon } from '../ui/icon.tsx'

interface LinkButtonProps {
  href: string
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: Icon
  block?: boolean
  children: ReactNode
}

/** A link that looks like a button: it leads somewhere, so a middle click opens a tab. */
export function LinkButton({ href, variant, size, icon: Shown, block, children }: LinkButtonProps) {
  return (
    <Link href={href} className={buttonClass(variant, size, block && 'block')}>
      {Shown && <Shown size={16} aria-hidden />}
      {children}
    </Link>
  )
}
