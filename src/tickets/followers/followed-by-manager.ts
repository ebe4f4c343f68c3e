import { sql } from 'kysely'

/**
 * Within a query on `tickets`, `organisations` and `clients as manager`: whether this manager follows the ticket. Without a choice of their own,
 * whoever has written in the ticket follows it, or every manager if the organisation wants that.
 */
export const isFollowedByManager = sql<boolean>`coalesce(
  (select is_following from ticket_manager_follows as follow
    where follow.ticket_id = tickets.id and follow.client_id = manager.id),
  organisations.managers_follow or exists (
    select from ticket_messages as written where written.ticket_id = tickets.id and written.client_id = manager.id))`
