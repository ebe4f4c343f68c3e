import type { LucideIcon } from 'lucide-react'

/** An icon of lucide, imported by its name. */
export type Icon = LucideIcon
