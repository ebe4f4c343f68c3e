import { createStore } from '../lib/store.ts'

/** The composer of replies that is open: the palette puts macros into it. */
export interface OpenComposer {
  ticketId: number
  putIn(macro: { id: number; name: string }): void
}

export const openComposer = createStore<OpenComposer | undefined>(undefined)
