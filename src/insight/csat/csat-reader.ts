import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import type { BatchReader } from '../../core/events/follow-log.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { secondsAfter } from '../../lib/time.ts'

/** Follows the log for closings: each gets its row, and is looked at again once the delay is over (Q2). */
export function csatReader(): BatchReader {
  return {
    name: 'csat',
    async handle(db, events) {
      const closings = events.filter(isClosing)
      if (closings.length === 0) return
      const { settings } = await settingsOf(db)
      if (settings.csat_enabled === 0) return
      for (const { id, ticket_id, at } of closings) {
        const due = secondsAfter(at, settings.csat_delay_minutes * 60)
        await insertSurvey(db, { ticket: ticket_id!, event: id, at, due })
      }
    }
  }
}

/** Merging closes nothing, and an undo is no closing of its own. */
function isClosing({ kind, before, after, ticket_id }: DeskEvent): boolean {
  if (ticket_id === null || kind === 'ticket.merged' || kind === 'ticket.unmerged') return false
  const [was, is] = [before, after] as ({ status?: string; undo_of?: number } | null)[]
  return is?.status === 'Closed' && was?.status !== undefined && was.status !== 'Closed' && is.undo_of === undefined
}

// The ticket may be gone by now.
const insertSurvey = prepared((db: Db, p: { ticket: number; event: number; at: Date; due: Date }) =>
  db
    .insertInto('csat_surveys')
    .columns(['ticket_id', 'closing_event_id', 'closed_at', 'due_at'])
    .expression(db =>
      db
        .selectFrom('tickets')
        .where('id', '=', p.ticket)
        .select(eb => [
          'id',
          eb.cast<number>(eb.val(p.event), 'bigint').as('event'),
          eb.cast<Date>(eb.val(p.at), 'timestamptz').as('at'),
          eb.cast<Date>(eb.val(p.due), 'timestamptz').as('due')
        ])
        .forKeyShare()
    )
    .onConflict(conflict => conflict.column('closing_event_id').doNothing())
)
