import { Type } from 'typebox'
import { Id, Nullable } from '../../kit/schemas.ts'
import type { EventCause } from '../tables/events.ts'

const Counted = Type.Integer({
  minimum: 0,
  examples: [0],
  description: 'How many events of the chain led to this one.'
})

/** What made the system act: ids alone, for whoever may read the event as staff. */
export const EventCauseView = Type.Unsafe<EventCause>(
  Type.Object(
    {
      rule_id: Type.Optional(Id(7)),
      macro_id: Type.Optional(Id(3)),
      import_id: Type.Optional(Id(1)),
      run_id: Type.Optional({ ...Id(12), description: 'The run of the rule.' }),
      event_id: Nullable(Id(4710)),
      chain_id: Nullable(Id(4709)),
      depth: Counted
    },
    { description: 'Only if the system acted for a rule, a macro or an import.' }
  )
)
