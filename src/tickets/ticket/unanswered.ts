import { type RawBuilder, sql } from 'kysely'

// Within a query on `tickets`. Merged tickets belong to the thread. Each of them is asked for its last message by index, so the length of a
// thread does not matter.

/** The ids of the ticket and of what was merged into it. */
export const threadParts = sql<{ id: number }>`(
  select tickets.id union all select part.id from tickets as part where part.merged_into_id = tickets.id)`

/** The last public message of staff in the thread. */
const lastAnswer = sql`coalesce((
  select max(answer.id) from ${threadParts} as part cross join lateral (
    select id from ticket_messages where ticket_id = part.id and sender_type <> 'client' order by id desc limit 1) as answer), 0)`

/** When the client first wrote after the last answer, read from the thread; null if nothing waits for an answer. */
export const unansweredInThread: RawBuilder<Date | null> = sql`(
  select min(asked.created_at) from ${threadParts} as part cross join lateral (
    select created_at from ticket_messages
    where ticket_id = part.id and sender_type = 'client' and id > ${lastAnswer} order by id limit 1) as asked)`

/**
 * The same, from the ticket's row while that accounts for all messages: writers keep it up to date. After a merge, or a write by an older
 * version, the thread is read. A closed ticket waits for nothing.
 */
export const unansweredSince: RawBuilder<Date | null> = sql`(case
  when tickets.status = 'Closed' then null
  when tickets.unanswered_of = tickets.message_count then tickets.unanswered_since
  else ${unansweredInThread} end)`
