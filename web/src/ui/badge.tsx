import type { ReactNode } from 'react'
import './badge.css'
import type { Icon } from './icon.tsx'

export type BadgeTone = 'plain' | 'green' | 'amber' | 'red' | 'accent'

/** A badge marks only what is unusual. */
export function Badge({
  tone = 'plain',
  icon: Shown,
  children
}: {
  tone?: BadgeTone
  icon?: Icon
  children: ReactNode
}) {
  return (
    <span className={tone === 'plain' ? 'badge' : `badge ${tone}`}>
      {Shown && <Shown size={12} aria-hidden />}
      {children}
    </span>
  )
}

/** The colour is only a dot, so the text is legible with any colour. */
export function Tag({ name, color }: { name: string; color: string | null }) {
  return (
    <span className="tag">
      <span className="dot" style={color ? { background: color } : undefined} />
      <bdi>{name}</bdi>
    </span>
  )
}
