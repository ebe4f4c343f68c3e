import type { SlaOutcome } from '../../core/tables/sla-clocks.ts'
import { countedUntil, targetOf } from './clock.ts'
import type { SlaClock, SlaWorld } from './clock-types.ts'

/** What is needed of a clock to say what it shows. */
export type CountedClock = Pick<
  SlaClock,
  | 'calendar_id'
  | 'target_minutes'
  | 'counted_ms'
  | 'runs_since'
  | 'pause_reason'
  | 'due_at'
  | 'breached_at'
  | 'ended_at'
  | 'outcome'
>

/** What a clock shows at this moment. */
export interface ClockNow {
  /** A clock that is late and still runs is `breached`, and not ended. */
  state: 'running' | 'paused' | SlaOutcome
  is_ended: boolean
  counted_seconds: number
  target_seconds: number
  /** Open time; below 0 it is that much too late. */
  left_seconds: number
}

export function clockNow(world: Pick<SlaWorld, 'openTime'>, clock: CountedClock, now: number): ClockNow {
  const counted = countedUntil(world, clock, now)
  return {
    state: clock.outcome ?? (clock.pause_reason !== null ? 'paused' : isLate(clock, now) ? 'breached' : 'running'),
    is_ended: clock.ended_at !== null,
    counted_seconds: Math.floor(counted / 1000),
    target_seconds: targetOf(clock) / 1000,
    left_seconds: Math.floor((targetOf(clock) - counted) / 1000)
  }
}

function isLate({ breached_at, due_at }: CountedClock, now: number): boolean {
  return breached_at !== null || (due_at !== null && due_at < now)
}
