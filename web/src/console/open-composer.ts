import { createStore } from '../lib/store.ts'

/** The composer of replies that is open: the palette puts macros into it, a side conversation what was answered there. */
export interface OpenComposer {
  ticketId: number
  /** The department of its ticket. */
  deptid: number
  putIn(macro: { id: number; name: string }): void
  /** Takes a text into the reply as a quote, and files. */
  quote(text: string, files: readonly File[]): void
}

export const openComposer = createStore<OpenComposer | undefined>(undefined)
