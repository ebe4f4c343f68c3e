import { Type } from 'typebox'
import { IsoTime, Nullable, OneOf } from '../../../kit/schemas.ts'
import { slaCauses, slaPauseReasons } from '../../tables/sla-clocks.ts'
import { slaMetrics } from '../../tables/sla-policies.ts'
import { facts, type KindOfEvent } from './kind-of-event.ts'

// The clocks that run for a ticket. Clients never learn of them.
const ofClock = { readers: 'staff', audited: 'never' } as const

const metric = OneOf(slaMetrics)
const due = { metric, due_at: Nullable(IsoTime()) }
const cause = OneOf(slaCauses, 'priority')

/** Of the promises of SLA policies. */
export const slaEvents = {
  'sla.started': { ...ofClock, after: facts({ ...due, started_at: IsoTime() }) },
  'sla.paused': {
    ...ofClock,
    after: facts({
      metric,
      reason: OneOf(slaPauseReasons),
      left_seconds: Type.Integer({ examples: [5400], description: 'Below 0: it is late.' })
    })
  },
  'sla.resumed': { ...ofClock, after: facts(due) },
  'sla.due_changed': {
    ...ofClock,
    after: facts({ metric, from: Nullable(IsoTime()), to: Nullable(IsoTime()), cause })
  },
  'sla.warned': { ...ofClock, notifies: true, after: facts(due) },
  'sla.breached': { ...ofClock, notifies: true, after: facts({ ...due, breached_at: IsoTime() }) },
  'sla.breach_lifted': { ...ofClock, after: facts({ ...due, breached_at: IsoTime(), cause }) },
  'sla.met': { ...ofClock, after: facts(due) },
  'sla.dropped': { ...ofClock, after: facts({ metric }) },
  // All clocks of the ticket at once.
  'sla.withdrawn': { ...ofClock, after: facts({ metrics: Type.Array(metric) }) }
} as const satisfies Record<string, KindOfEvent>
