import { Type } from 'typebox'
import { BooleanInput, Id, Instant, Nullable, Text } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { Snooze, SnoozeKinds } from '../ticket/desk-schemas.ts'

/** Until when a ticket is snoozed, and why. */
export const snoozeFields = {
  until: Type.Optional(
    Type.Unsafe<string>({
      ...Instant('2026-11-24T08:00:00Z'),
      description: 'Within a year from now. Instead of `until_next_open`.'
    })
  ),
  until_next_open: Type.Optional(
    Type.Unsafe<number>({ ...Id(2), description: 'A calendar: until it next opens. Instead of `until`.' })
  ),
  until_reply: Type.Optional(
    Type.Unsafe<0 | 1>({
      ...BooleanInput(0),
      description:
        '1: until the client writes, at the latest until the time that stands beside it, if one does. A message of the client ends any snooze. With `kind` `third_party` an answer in a side conversation ends it too.'
    })
  ),
  kind: Type.Optional(
    Type.Unsafe<Type.Static<typeof SnoozeKinds>>({
      ...SnoozeKinds,
      description: 'For whom it waits; `own` by default.'
    })
  ),
  reason: Type.Optional(Text(200, 'Waiting for the part'))
}

/** A ticket after a change of its snooze. */
export const SnoozedTicket = Type.Object({ ticket_id: Id(), version: Version, snooze: Nullable(Snooze) })
