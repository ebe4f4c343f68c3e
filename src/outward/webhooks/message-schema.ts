import { Type } from 'typebox'
import { EventCauseView } from '../../core/events/event-cause.ts'
import { Flag, Id, IsoTime, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'

const Facts = Nullable(Type.Object({}, { additionalProperties: true, examples: [{ status: 'Closed' }] }))

/** The body that a receiver gets. */
export const WebhookMessage = Type.Object({
  type: OutputText('ticket.replied'),
  timestamp: IsoTime(),
  data: Type.Object({
    id: Nullable(Id(4711)),
    kind: OutputText('ticket.replied'),
    at: Timestamp(),
    at_iso: IsoTime(),
    subject_type: OutputText('ticket'),
    subject_id: Nullable(Id(7)),
    ticket_id: Nullable(Id(7)),
    client_id: Nullable(Id(3)),
    actor: Type.Object({
      type: OneOf(['client', 'staff', 'system']),
      id: Nullable(Id(3)),
      name: OutputText('Ada Lovelace')
    }),
    before: Facts,
    after: Facts,
    cause: Type.Optional(EventCauseView),
    text: Type.Optional(OutputText('It is still on fire.')),
    is_cut: Type.Optional(Flag(0))
  })
})
