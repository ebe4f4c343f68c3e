import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { SnoozeKind } from '../../core/tables/snoozes.ts'
import { bit } from '../../lib/bit.ts'
import type { Snooze, StaffPerson } from './desk-schemas.ts'

/** A snooze as the database writes it into a row. */
export interface SnoozeOfRow {
  until: string | null
  until_reply: boolean
  kind: SnoozeKind
  reason: string
  by: Static<typeof StaffPerson> | null
}

/** Within a query on `snoozes`, joined to tickets: the snooze; null if the ticket is not snoozed. Nearly none is, so that nearly no JSON is built. */
export const snoozeOfTicket = sql<SnoozeOfRow | null>`case when snoozes.ticket_id is not null and snoozes.woken_at is null then
  json_build_object('until', snoozes.until, 'until_reply', snoozes.until_reply, 'kind', snoozes.kind, 'reason', snoozes.reason, 'by', (
    select json_build_object('id', id, 'first_name', first_name, 'last_name', last_name) from staff where id = snoozes.staff_id)) end`

/** Within a query on `tickets`: whether it is snoozed. */
export const isSnoozed: RawBuilder<boolean> = sql`exists (
  select from snoozes where snoozes.ticket_id = tickets.id and snoozes.woken_at is null)`

export function snoozeView(snooze: SnoozeOfRow | null): Static<typeof Snooze> | null {
  if (!snooze) return null
  const { until, until_reply } = snooze
  return { ...snooze, until: until && new Date(until).toISOString(), until_reply: bit(until_reply) }
}

/** Within a query on `tickets`: since when it is back from its snooze; null once it has been looked at. */
export const wokenAt: RawBuilder<Date | null> = sql`(
  select snoozes.woken_at from snoozes where snoozes.ticket_id = tickets.id)`
