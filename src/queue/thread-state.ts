import { type RawBuilder, sql } from 'kysely'
import { threadParts } from '../tickets/unanswered.ts'

/** The last message of the thread: who wrote it, and how it begins. */
export interface LastMessage {
  last_sender: 'client' | 'staff' | null
  last_sender_id: number | null
  last_sender_name: string | null
  /** Its first characters, as they were written. */
  last_text: string | null
}

/** So much of a message is read for its snippet: what is left of it on one line may be less. */
const charactersRead = 400

export const lastMessage = sql<LastMessage>`(
  select case when message.sender_type = 'client' then 'client' else 'staff' end as last_sender,
    coalesce(message.client_id, message.staff_id) as last_sender_id,
    coalesce(writer.first_name || ' ' || writer.last_name, answerer.first_name || ' ' || answerer.last_name,
      message.sender_first_name || ' ' || message.sender_last_name) as last_sender_name,
    left(message.message, ${sql.lit(charactersRead)}) as last_text
  from ${threadParts} as part cross join lateral (
    select id, sender_type, client_id, staff_id, sender_first_name, sender_last_name, message
    from ticket_messages where ticket_id = part.id order by id desc limit 1) as message
  left join clients as writer on writer.id = message.client_id
  left join staff as answerer on answerer.id = message.staff_id
  order by message.id desc limit 1)`

/** Whether somebody else has written what this member of staff has not marked as read: a message, or a note. */
export function isUnread(staff: number): RawBuilder<0 | 1> {
  const isNew = (table: 'ticket_messages' | 'ticket_notes', mark: 'message_id' | 'note_id') => sql`exists (
    select from ${sql.table(table)} as entry where entry.ticket_id = part.id
      and entry.id > greatest(mark.${sql.ref(mark)}, (select ${sql.ref(mark)} from read_beginning), 0)
      and entry.staff_id is distinct from ${staff})`
  return sql`case when exists (
    select from ${threadParts} as part
    left join ticket_reads as mark on mark.ticket_id = part.id and mark.staff_id = ${staff}
    where ${isNew('ticket_messages', 'message_id')} or ${isNew('ticket_notes', 'note_id')}) then 1 else 0 end`
}
