import type { SlaClock, TicketClocks } from './clock-types.ts'

export function runningOf({ clocks }: TicketClocks, which: (clock: SlaClock) => boolean = () => true): SlaClock[] {
  return clocks.filter(clock => clock.ended_at === null && which(clock))
}

export function isResponse({ metric }: SlaClock): boolean {
  return metric !== 'resolution'
}

export function isSolution({ metric }: SlaClock): boolean {
  return metric === 'resolution'
}

export function isClosed({ facts }: TicketClocks): boolean {
  return facts.status === 'Closed'
}

/** S4: since when the oldest message has waited for an answer, in the ticket or in those merged into it (S13). */
export function waitsSince(state: TicketClocks): number | null {
  const since = [ownWait(state), ...Object.values(state.absorbed).map(({ waitsSince }) => waitsSince)]
  const known = since.filter(at => at !== null)
  return known.length > 0 ? Math.min(...known) : null
}

/** The same of its own thread. The time at which a message was received counts, and e-mails may come in another order. */
export function ownWait({ unanswered }: Pick<TicketClocks, 'unanswered'>): number | null {
  return unanswered.length > 0 ? Math.min(...unanswered.map(([, at]) => at)) : null
}
