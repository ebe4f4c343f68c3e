import type { Db } from '../../core/db.ts'
import type { SlaEvent, TicketClocks, TimelineEvent } from './clock-types.ts'
import { foldEvent } from './fold.ts'
import { storedTickets, storeTickets } from './stored-clocks.ts'
import { foldedBefore, type Position, withoutErased } from './ticket-timeline.ts'
import { type DeskPolicies, rowsToChoose, worldOf } from './world.ts'

/** What is stored of some tickets, onto which events are folded. */
export interface StoredFold {
  stateOf(ticket: number): TicketClocks | undefined
  fold(ticket: number, event: TimelineEvent): void
  /** Stores what has changed. Returns what follows for the log. */
  store(): Promise<(SlaEvent & { ticket: number })[]>
}

/**
 * The stored clocks of these tickets, locked until the transaction ends. `position`: where the log is read; of tickets that were not read yet it is
 * folded what had happened before.
 */
export async function foldOntoStored(
  db: Db,
  desk: DeskPolicies,
  ids: readonly number[],
  position: Position
): Promise<StoredFold> {
  const stored = await storedTickets(db, ids, { lock: true })
  const rows = await rowsToChoose(db, desk, ids)
  const unread = await withoutErased(
    db,
    ids.filter(id => !stored.has(id))
  )
  const states = new Map([...stored, ...(await foldedBefore(db, worldOf(desk, undefined), unread, position))])
  const changed = new Map<number, TicketClocks>()
  const told: (SlaEvent & { ticket: number })[] = []
  return {
    stateOf: ticket => states.get(ticket),
    fold(ticket, event) {
      const former = states.get(ticket)
      // Deleted, or from before there was a log, or nobody waits any more.
      if (!former && (event.what !== 'opened' || !unread.includes(ticket))) return
      // An event that comes twice.
      if (former && former.by >= event.by && event.what !== 'recomputed') return
      const state = foldEvent(worldOf(desk, rows.get(ticket)), former, event, each => told.push({ ...each, ticket }))
      states.set(ticket, state)
      changed.set(ticket, state)
    },
    async store() {
      if (changed.size === 0) return []
      const written = new Set(await storeTickets(db, changed))
      return told.filter(({ ticket }) => written.has(ticket))
    }
  }
}
