import type { DataOf } from '@deskline/client'

export type ExplainedClock = DataOf<'/api/admin/tickets/sla'>['clocks'][number]

/** Those that people look at: what runs or stands, what is due first on top, then how the last of the other kinds ended. */
export function shownClocks(clocks: readonly ExplainedClock[]): ExplainedClock[] {
  const open = clocks.filter(({ is_ended }) => !is_ended).toSorted((one, other) => dueOf(one) - dueOf(other))
  const ended = clocks.filter(({ is_ended, state }) => is_ended && (state === 'met' || state === 'breached'))
  const last = new Map(ended.map(clock => [clock.metric, clock]))
  return [...open, ...[...last.values()].filter(({ metric }) => !open.some(clock => clock.metric === metric))]
}

function dueOf({ due_at }: ExplainedClock): number {
  return due_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(due_at)
}
