import { createStore } from '../lib/store.ts'

/** The client of a new ticket. */
export interface TicketClient {
  id: number
  first_name: string
  last_name: string
  email: string
}

/** The dialog that was last asked for. */
export type Overlay =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'new-ticket'; client: TicketClient | undefined }

/** `palette/overlays.tsx` loads and shows it. */
export const overlay = createStore<Overlay | undefined>(undefined)

export function openPalette(): void {
  overlay.set({ kind: 'palette' })
}

export function openShortcuts(): void {
  overlay.set({ kind: 'shortcuts' })
}

/** Opens the dialog for a new ticket; with a client already chosen, if there is one. */
export function openNewTicket(client?: TicketClient): void {
  overlay.set({ kind: 'new-ticket', client })
}
