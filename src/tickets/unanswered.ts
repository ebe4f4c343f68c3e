import { type RawBuilder, sql } from 'kysely'

// Within a query on `tickets`. What was merged into a ticket belongs to its thread. Each part is asked for its own end, by the index on
// its messages: how long a thread is does not matter.

/** The ids of the ticket and of what was merged into it. */
export const threadParts = sql<{ id: number }>`(
  select tickets.id union all select part.id from tickets as part where part.merged_into_id = tickets.id)`

/** The last thing that staff have said in the thread, as everybody may read it. */
const lastAnswer = sql`coalesce((
  select max(answer.id) from ${threadParts} as part cross join lateral (
    select id from ticket_messages where ticket_id = part.id and sender_type <> 'client' order by id desc limit 1) as answer), 0)`

/** When the client wrote first what no answer follows, as the thread tells; null where nothing waits for one. */
export const unansweredInThread: RawBuilder<Date | null> = sql`(
  select min(asked.created_at) from ${threadParts} as part cross join lateral (
    select created_at from ticket_messages
    where ticket_id = part.id and sender_type = 'client' and id > ${lastAnswer} order by id limit 1) as asked)`

/**
 * The same, as the row of the ticket tells where it has all messages in view: those who write keep it. After a merge, and after what code
 * from before wrote, the thread is asked. A closed ticket waits for nobody.
 */
export const unansweredSince: RawBuilder<Date | null> = sql`(case
  when tickets.status = 'Closed' then null
  when tickets.unanswered_of = tickets.message_count then tickets.unanswered_since
  else ${unansweredInThread} end)`
