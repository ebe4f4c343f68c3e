import type { ComponentType } from 'react'

/** An icon: one of lucide, imported by its name, or one of our own. */
export type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
