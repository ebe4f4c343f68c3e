import type { DataOf } from '@deskline/client'
import type { Icon } from '../../ui/icon.tsx'

export type Hit = DataOf<'/api/admin/search'>['results'][number]

/** A line of the palette. */
export interface PaletteItem {
  id: string
  group: 'tickets' | 'clients' | 'here' | 'go'
  label: string
  /** Stands at the end: a name. */
  detail?: string
  /** Of a ticket; never cut. */
  number?: string
  shortcut?: string | undefined
  icon?: Icon
  status?: NonNullable<Hit['ticket']>['status']
  /** Where it leads; a new tab can be opened with it. */
  href?: string
  run(): void
}

/** Whether every word that was typed begins one of the words of the label. */
export function matchesWords(label: string, typed: string): boolean {
  const words = folded(label).split(/[\s/-]+/)
  return folded(typed)
    .split(/\s+/)
    .every(part => words.some(word => word.startsWith(part)))
}

/** A ticket comes once, however much of it was found. */
export function uniqueTickets(hits: readonly Hit[]): Hit[] {
  const seen = new Set<number>()
  return hits.filter(({ ticket }) => ticket && !seen.has(ticket.id) && seen.add(ticket.id))
}

/** Without accents, in lower case: "bruck" finds Brückner. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
