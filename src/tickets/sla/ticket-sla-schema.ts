import { Type } from 'typebox'
import { slaCauses, slaOutcomes, slaPauseReasons } from '../../core/tables/sla-clocks.ts'
import { slaMetrics } from '../../core/tables/sla-policies.ts'
import type { TicketPriority } from '../../core/tables/tickets.ts'
import { Id, IsoTime, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'

const Priority = OneOf<TicketPriority>(['Low', 'Medium', 'High', 'Critical'], 'Medium')

const Value = Type.Unknown({ examples: [[4]] })

/** A condition of a policy, with what the ticket has instead. */
export const JudgedConditionView = Type.Object({
  field: OutputText('department_id'),
  op: OutputText('in'),
  value: Value,
  actual: Type.Unknown({ description: 'What the ticket has now; null: nothing.', examples: [4] })
})

export const ClockCalendar = Type.Object({
  id: Id(2),
  name: OutputText('Berlin office'),
  time_zone: OutputText('Europe/Berlin')
})

export const ClockTarget = Type.Object({
  minutes: Type.Integer({ minimum: 1, examples: [240] }),
  priority: Priority,
  calendar: ClockCalendar
})

export const PassedOverPolicy = Type.Object({ id: Id(1), name: OutputText('VIP'), failed: JudgedConditionView })

const ValueName = Type.Object({
  field: OneOf(['department_id', 'assigned_staff_id', 'organisation_id'] as const),
  id: Id(4),
  name: OutputText('Technical Support')
})

export const ClockPolicy = Type.Object({
  id: Id(3),
  name: OutputText('Standard'),
  version: Id(2),
  fitted: Type.Array(JudgedConditionView),
  passed_over: Type.Array(PassedOverPolicy, {
    description: 'The policies before it, each with its first condition that failed.'
  }),
  names: Type.Array(ValueName, {
    description: 'What the departments, staff and organisations are called whose ids are in `fitted` and `passed_over`.'
  })
})

export const ClockStepView = Type.Object({
  from: IsoTime(),
  to: IsoTime(),
  kind: OneOf(['counted', 'closed', 'paused', 'moved', 'expected'] as const),
  minutes: Type.Number({ minimum: 0, examples: [60] }),
  why: Nullable(OutputText('weekend'))
})

export const FormerDue = Type.Object({
  due_at: IsoTime(),
  changed_at: IsoTime(),
  cause: OneOf(['started', 'paused', 'resumed', ...slaCauses] as const, 'priority'),
  event: Nullable(OutputText('ticket.updated')),
  by: Nullable(OutputText('Grace Hopper'))
})

const Seconds = (example: number, description?: string) =>
  Type.Integer({ examples: [example], ...(description ? { description } : {}) })

/** A clock of a ticket, and how it came to what it shows. */
export const ExplainedClock = Type.Object({
  // Null: it began a moment ago and is not stored yet.
  id: Nullable(Id(7)),
  metric: OneOf(slaMetrics),
  state: {
    ...OneOf(['running', 'paused', ...slaOutcomes] as const),
    description: 'A clock that is late and still runs is `breached` with `is_ended: false`.'
  },
  is_ended: Type.Boolean({ examples: [false] }),
  started_at: IsoTime(),
  ended_at: Nullable(IsoTime()),
  due_at: Nullable(IsoTime()),
  warn_at: Nullable(IsoTime()),
  breached_at: Nullable(IsoTime()),
  counted_seconds: Seconds(3600),
  target_seconds: Seconds(14_400),
  left_seconds: Seconds(10_800, 'Of open time; below 0 it is that much too late.'),
  pause_reason: {
    ...Nullable(OneOf([...slaPauseReasons, 'calendar_never_opens'] as const)),
    description: '`calendar_never_opens`: it runs, but its calendar does not open within five years.'
  },
  // A policy or calendar was changed; until that is done, the former times hold.
  is_recomputing: Type.Boolean({ examples: [false] }),
  target: ClockTarget,
  policy: ClockPolicy,
  steps: Type.Array(ClockStepView),
  earlier: Type.Array(FormerDue, { description: 'When it had been due before, and the event that changed that.' }),
  text: OutputText('Opened Thu 2 Apr, 16:00: a reply within 4 hours of Berlin office. …')
})
