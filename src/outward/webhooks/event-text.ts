import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import type { WebhookRow } from '../../core/tables/webhooks.ts'

/** Longer texts are truncated anyway. */
const maxCharacters = 8_001

/** The current text of an event's message or note, if the webhook includes it; none if it was deleted meanwhile. */
export async function currentText(
  db: Db,
  { include_text, include_notes }: Pick<WebhookRow, 'include_text' | 'include_notes'>,
  event: DeskEvent
): Promise<string | undefined> {
  const { ticket_id: ticket } = event
  if (ticket === null) return undefined
  switch (event.kind) {
    case 'ticket.noted':
      return include_notes ? (await noteText(db, { ticket, id: event.after.note_id }))[0]?.text : undefined
    case 'ticket.created':
    case 'ticket.replied':
      return include_text ? (await messageText(db, { ticket, id: event.after.message_id }))[0]?.text : undefined
    default:
      return undefined
  }
}

const messageText = prepared((db, p: { ticket: number; id: number }) =>
  db
    .selectFrom('ticket_messages')
    .where('id', '=', p.id)
    .where('ticket_id', '=', p.ticket)
    .select(({ fn, lit }) => fn<string>('left', ['message', lit(maxCharacters)]).as('text'))
)

const noteText = prepared((db, p: { ticket: number; id: number }) =>
  db
    .selectFrom('ticket_notes')
    .where('id', '=', p.id)
    .where('ticket_id', '=', p.ticket)
    .select(({ fn, lit }) => fn<string>('left', ['note', lit(maxCharacters)]).as('text'))
)
