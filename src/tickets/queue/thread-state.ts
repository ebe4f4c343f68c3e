import { type RawBuilder, sql } from 'kysely'
import { wokenAt } from '../ticket/snooze-of.ts'
import { threadParts, unansweredSince } from '../ticket/unanswered.ts'

/** The last message of the thread: who wrote it, and how it begins. */
export interface LastMessage {
  last_sender_type: string | null
  last_client_id: number | null
  last_staff_id: number | null
  other_sender_name: string | null
  /** Its first characters, unchanged. */
  last_text: string | null
}

/** How many characters of a message are read for its snippet; collapsing whitespace may leave fewer. */
const charactersRead = 400

/** The first words of our own HTML of a formatted message: without its tags, and with the four signs that stand in it as entities. */
const wordsOfHtml = sql`replace(replace(replace(replace(regexp_replace(regexp_replace(
  left(formatted_html, ${sql.lit(3 * charactersRead)}), '</?(strong|em|a|code)( [^>]*)?(>|$)', '', 'g'), '<[^>]*(>|$)', ' ', 'g'),
  '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')`

/** Joined to a ticket as `last`: the last message of its thread, with what was merged into it. */
export const lastOfThread = sql<{
  id: number
  sender_type: string
  client_id: number | null
  staff_id: number | null
  sender_first_name: string
  sender_last_name: string
  beginning: string
}>`(
  select message.* from ${threadParts} as part cross join lateral (
    select id, sender_type, client_id, staff_id, sender_first_name, sender_last_name,
      case when formatted_html is null then left(message, ${sql.lit(charactersRead)}) else ${wordsOfHtml} end as beginning
    from ticket_messages where ticket_id = part.id order by id desc limit 1) as message
  order by message.id desc limit 1)`

/** The sender's current name. Null if it is the client or the assignee, as nearly always: their names are selected already. */
export const otherSenderName = sql<string | null>`case
  when last.client_id = tickets.client_id or last.staff_id = tickets.assigned_staff_id then null
  else coalesce((select first_name || ' ' || last_name from clients as writer where writer.id = last.client_id),
    (select first_name || ' ' || last_name from staff as answerer where answerer.id = last.staff_id),
    last.sender_first_name || ' ' || last.sender_last_name) end`

/** `unansweredSince`, with a shortcut: if the last message is from staff, nothing else is read. */
export const waitingSince: RawBuilder<Date | null> = sql`case when last.sender_type <> 'client' then null else ${unansweredSince} end`

/**
 * Whether somebody else has written a message or note, or a third party an answer, after this staff member's read mark, or the ticket is back from
 * its snooze and theirs, or nobody's. `backSince`: since when it is back.
 */
export function isUnread(staff: number, backSince: RawBuilder<unknown> = wokenAt): RawBuilder<0 | 1> {
  const isNew = (table: 'ticket_messages' | 'ticket_notes', mark: 'message_id' | 'note_id') => sql`exists (
    select from ${sql.table(table)} as entry where entry.ticket_id = part.id
      and entry.id > coalesce(mark.${sql.ref(mark)}, 0)
      and entry.staff_id is distinct from ${staff})`
  // An answer in a side conversation is news for whoever began it and for the assignee.
  const isAnswered = sql`exists (
    select from side_conversations as conversation join side_messages as aside on aside.conversation_id = conversation.id
    where conversation.ticket_id = part.id and aside.id > coalesce(mark.side_message_id, 0)
      and aside.sender_email is not null and not aside.is_automatic
      and ${staff} in (conversation.started_by, tickets.assigned_staff_id))`
  // The limit makes the planner look up the mark of each part: somebody may have as many marks as there are tickets.
  const isBack = sql`((tickets.assigned_staff_id is null or tickets.assigned_staff_id = ${staff}) and ${backSince} is not null)`
  return sql`case when ${isBack} or exists (
    select from ${threadParts} as part
    left join lateral (
      select message_id, note_id, side_message_id from ticket_reads where ticket_id = part.id and staff_id = ${staff} limit 1) as mark on true
    where ${isNew('ticket_messages', 'message_id')} or ${isNew('ticket_notes', 'note_id')} or ${isAnswered}) then 1 else 0 end`
}
