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
  if (event.ticket_id === null) return undefined
  const { message_id, note_id } = (event.after ?? {}) as { message_id?: unknown; note_id?: unknown }
  const ticket = event.ticket_id
  if (include_notes && typeof note_id === 'number') return (await noteText(db, { ticket, id: note_id }))[0]?.text
  if (!include_text) return undefined
  if (typeof message_id === 'number') return (await messageText(db, { ticket, id: message_id }))[0]?.text
  return event.kind === 'ticket.created' ? (await firstMessageText(db, { ticket }))[0]?.text : undefined
}

const messageText = prepared((db, p: { ticket: number; id: number }) =>
  db
    .selectFrom('ticket_messages')
    .where('id', '=', p.id)
    .where('ticket_id', '=', p.ticket)
    .select(({ fn, lit }) => fn<string>('left', ['message', lit(maxCharacters)]).as('text'))
)

const firstMessageText = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', p.ticket)
    .select(({ fn, lit }) => fn<string>('left', ['message', lit(maxCharacters)]).as('text'))
    .orderBy('id')
    .limit(1)
)

const noteText = prepared((db, p: { ticket: number; id: number }) =>
  db
    .selectFrom('ticket_notes')
    .where('id', '=', p.id)
    .where('ticket_id', '=', p.ticket)
    .select(({ fn, lit }) => fn<string>('left', ['note', lit(maxCharacters)]).as('text'))
)
