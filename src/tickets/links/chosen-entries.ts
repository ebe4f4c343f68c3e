import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'

/** A message that is to go to another ticket. */
export interface ChosenMessage {
  id: number
  sender_type: 'client' | 'support' | 'admin'
  created_at: Date
  /** When it came: an e-mail may have waited to be read. */
  received_at: Date
}

/**
 * These messages of a ticket, oldest first, as far as they may go to another one: not all of them, not the first alone, and one of the client at
 * least. Throws `InvalidFields`, also for messages of tickets that were merged into it.
 */
export async function chosenMessages(db: Db, ticket: number, ids: readonly number[]): Promise<ChosenMessage[]> {
  const chosen = await messagesAmong(db, { ticket, ids })
  const [thread] = await threadOf(db, { ticket })
  if (chosen.length < new Set(ids).size) {
    throw refused('Only messages of this ticket can be split off; those of a ticket that was merged into it stay')
  }
  if (chosen.length >= thread!.messages) throw refused('One message has to stay, or it is the same ticket again')
  if (!chosen.some(({ sender_type }) => sender_type === 'client')) {
    throw refused('One message of the client has to go, or nobody waits for an answer')
  }
  if (chosen.length === 1 && chosen[0]!.id === thread!.first) {
    throw refused('The first message can be split off together with others only')
  }
  return chosen
}

/** Throws `InvalidFields` unless these are notes of the ticket. */
export async function requireNotes(db: Db, ticket: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const found = await notesAmong(db, { ticket, ids })
  if (found.length === new Set(ids).size) return
  throw InvalidFields({ message: 'Only notes of this ticket can be split off', errors: ['note_ids'] })
}

function refused(message: string) {
  return InvalidFields({ message, errors: ['message_ids'] })
}

const messagesAmong = prepared((db: Db, p: { ticket: number; ids: readonly number[] }) =>
  db
    .selectFrom('ticket_messages as message')
    .leftJoin('message_emails as mailed', 'mailed.message_id', 'message.id')
    .leftJoin('inbound_mails as mail', 'mail.id', 'mailed.mail_id')
    .where('message.ticket_id', '=', p.ticket)
    .where('message.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['message.id', 'message.sender_type', 'message.created_at'])
    .select(({ fn }) => fn.coalesce('mail.received_at', 'message.created_at').as('received_at'))
    .orderBy('message.id')
)

const threadOf = prepared((db: Db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', p.ticket)
    .select(({ fn }) => [fn.countAll<number>().as('messages'), fn.min('id').as('first')])
)

const notesAmong = prepared((db: Db, p: { ticket: number; ids: readonly number[] }) =>
  db
    .selectFrom('ticket_notes')
    .where('ticket_id', '=', p.ticket)
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select('id')
)
