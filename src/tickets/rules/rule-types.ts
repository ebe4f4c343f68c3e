import type { PauseReason, TimerBasis } from '../../core/tables/rules.ts'
import type { Action } from '../actions/action-values.ts'
import type { Followed } from '../conditions/event-fields.ts'
import type { Conditions } from '../conditions/schemas.ts'

/** What sets a rule off. */
export type Trigger = { events: Followed[]; timer?: never } | { timer: Timer; events?: never }

/** So many minutes after or before something, by the clock or in the open time of a calendar. */
export interface Timer {
  basis: TimerBasis
  minutes: number
  direction?: 'after' | 'before'
  calendar_id?: number | null
  /** The custom field of `date_field`. */
  field_id?: number
}

/** What a rule says, with conditions and actions as they are stored. */
export interface RuleDefinition {
  name: string
  trigger: Trigger
  conditions: Conditions
  actions: Action[]
  /** It logs what it would do, and does nothing. */
  watch_only: boolean
}

export interface Rule extends RuleDefinition {
  id: number
  position: number
  is_active: boolean
  paused_reason: PauseReason | null
  version: number
  created_at: Date
  updated_at: Date
}
