import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import type { BatchReader } from '../../core/events/follow-log.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'

/**
 * Follows the log for closings: each gets its row, and is looked at again once the delay is over (Q2). Where ratings are off it is told at once that
 * nobody is asked; the timeline does not tell it of each ticket.
 */
export function csatReader(): BatchReader {
  return {
    name: 'csat',
    async handle(db, events) {
      const closings = events.filter(isClosing)
      if (closings.length === 0) return
      const { settings } = await settingsOf(db)
      await insertSurveys(db, {
        tickets: closings.map(({ ticket_id }) => ticket_id!),
        events: closings.map(({ id }) => id),
        times: closings.map(({ at }) => at),
        delay: settings.csat_enabled === 0 ? null : settings.csat_delay_minutes * 60
      })
    }
  }
}

/** Merging closes nothing, and an undo is no closing of its own. */
function isClosing({ kind, before, after, ticket_id }: DeskEvent): boolean {
  if (ticket_id === null || kind === 'ticket.merged' || kind === 'ticket.unmerged') return false
  const [was, is] = [before, after] as ({ status?: string; undo_of?: number } | null)[]
  return is?.status === 'Closed' && was?.status !== undefined && was.status !== 'Closed' && is.undo_of === undefined
}

interface Closings {
  tickets: readonly number[]
  events: readonly number[]
  times: readonly Date[]
  /** In seconds; null: nobody is asked. */
  delay: number | null
}

// A ticket may be gone by now.
async function insertSurveys(db: Db, { tickets, events, times, delay }: Closings): Promise<void> {
  await sql`
    with present as (select id from tickets where id = any(${tickets}::bigint[]) for key share)
    insert into csat_surveys (ticket_id, closing_event_id, closed_at, due_at, voided_reason)
    select ticket, event, at, at + make_interval(secs => ${delay}::int), case when ${delay}::int is null then 'disabled' end
    from unnest(${tickets}::bigint[], ${events}::bigint[], ${times}::timestamptz[]) as closing (ticket, event, at)
    join present on present.id = ticket order by event
    on conflict (closing_event_id) do nothing`.execute(db)
}
