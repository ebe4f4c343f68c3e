import { type RawBuilder, sql } from 'kysely'
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

interface LastOfThread {
  id: number
  ticket_id: number
  sender_type: string
  client_id: number | null
  staff_id: number | null
  sender_first_name: string
  sender_last_name: string
  beginning: string
}

/** How many characters of a message are read for its snippet; collapsing whitespace may leave fewer. */
const charactersRead = 400

function lastOf(ticket: RawBuilder<unknown>): RawBuilder<LastOfThread> {
  return sql`(
    select id, ticket_id, sender_type, client_id, staff_id, sender_first_name, sender_last_name,
      case when octet_length(message) <= ${sql.lit(charactersRead)} then message
        else left(message, ${sql.lit(charactersRead)}) end as beginning
    from ticket_messages where ticket_id = ${ticket} order by id desc limit 1)`
}

/** Joined to a ticket as `last`: the last message of the ticket itself. */
export const lastOfTicket = lastOf(sql`tickets.id`)

/** The same of its whole thread, with what was merged into it. */
export const lastOfThread = sql<LastOfThread>`(
  select message.* from ${threadParts} as part cross join lateral ${lastOf(sql`part.id`)} as message
  order by message.id desc limit 1)`

/** The sender's current name. Null if it is the client or the assignee, as nearly always: their names are selected already. */
export const otherSenderName = sql<string | null>`case
  when last.client_id = tickets.client_id or last.staff_id = tickets.assigned_staff_id then null
  else coalesce((select first_name || ' ' || last_name from clients as writer where writer.id = last.client_id),
    (select first_name || ' ' || last_name from staff as answerer where answerer.id = last.staff_id),
    last.sender_first_name || ' ' || last.sender_last_name) end`

/** `unansweredSince`, with a shortcut: if the last message is from staff, nothing else is read. */
export const waitingSince: RawBuilder<Date | null> = sql`case when last.sender_type <> 'client' then null else ${unansweredSince} end`

// The rest of what a row tells of its thread has two forms. The first reads the ticket itself, and for nearly every ticket that is all. The
// second reads the whole thread: merely setting it up for a page takes as long as finding five rows. `page` has the ids of the page, so that
// what few tickets have is looked for once for all of them.

/** `waitingSince`, as far as the ticket's row accounts for its messages. */
export const waitingByRow: RawBuilder<Date | null> = sql`case
  when last.sender_type <> 'client' or tickets.status = 'Closed' then null
  when tickets.unanswered_of = tickets.message_count then tickets.unanswered_since end`

/** Whether the first form is true: nothing was merged into the ticket, and its row tells whether it waits. */
export const isToldByTicket = sql<boolean>`case
  when tickets.id = any(array(
    select part.merged_into_id from tickets as part where part.merged_into_id = any(array(select id from page)))) then false
  when last.sender_type <> 'client' or tickets.status = 'Closed' then true
  else tickets.unanswered_of is not distinct from tickets.message_count end`

const readMessage = sql`coalesce(mark.message_id, 0)`
const readNote = sql`coalesce(mark.note_id, 0)`

/** `isUnread` of a ticket alone; `mark` is this staff member's. */
export function isTicketUnread(staff: number): RawBuilder<0 | 1> {
  return sql`case
    when last.id > ${readMessage} and (last.staff_id is distinct from ${staff} or exists (
      select from ticket_messages as entry
      where entry.ticket_id = tickets.id and entry.id > ${readMessage} and entry.staff_id is distinct from ${staff})) then 1
    when tickets.id = any(array(
      select ticket_id from ticket_notes
      where ticket_id = any(array(select id from page)))) and exists (
      select from ticket_notes as entry
      where entry.ticket_id = tickets.id and entry.id > ${readNote} and entry.staff_id is distinct from ${staff}) then 1
    else 0 end`
}

/** Whether somebody else has written a message or note after this staff member's read mark. */
export function isUnread(staff: number): RawBuilder<0 | 1> {
  const isNew = (table: 'ticket_messages' | 'ticket_notes', mark: 'message_id' | 'note_id') => sql`exists (
    select from ${sql.table(table)} as entry where entry.ticket_id = part.id
      and entry.id > coalesce(mark.${sql.ref(mark)}, 0)
      and entry.staff_id is distinct from ${staff})`
  // The limit makes the planner look up the mark of each part: somebody may have as many marks as there are tickets.
  return sql`case when exists (
    select from ${threadParts} as part
    left join lateral (
      select message_id, note_id from ticket_reads where ticket_id = part.id and staff_id = ${staff} limit 1) as mark on true
    where ${isNew('ticket_messages', 'message_id')} or ${isNew('ticket_notes', 'note_id')}) then 1 else 0 end`
}
