import type { DataOf } from '@deskline/client'
import type { Icon } from '../../ui/icon.tsx'

export type Hit = DataOf<'/api/admin/search'>['results'][number]

/** A line of the palette. */
export interface PaletteItem {
  id: string
  group: 'recent' | 'macros' | 'tickets' | 'clients' | 'here' | 'go'
  label: string
  /** A name, shown at the end. */
  detail?: string
  /** The number of a ticket; it is never truncated. */
  number?: string
  shortcut?: string | undefined
  icon?: Icon
  status?: NonNullable<Hit['ticket']>['status']
  /** The address that it leads to, so that it can be opened in a new tab. */
  href?: string
  /** It cannot be chosen; `detail` says why. */
  isLocked?: boolean
  run(): void
}

/** Whether every word that was typed begins one of the words of the label. */
export function matchesWords(label: string, typed: string): boolean {
  const words = folded(label).split(/[\s/-]+/)
  return folded(typed)
    .split(/\s+/)
    .every(part => words.some(word => word.startsWith(part)))
}

/** Each ticket once, however many of its messages match. */
export function uniqueTickets(hits: readonly Hit[]): Hit[] {
  const seen = new Set<number>()
  return hits.filter(({ ticket }) => ticket && !seen.has(ticket.id) && seen.add(ticket.id))
}

/** Without accents, in lower case: "bruck" finds Brückner. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
