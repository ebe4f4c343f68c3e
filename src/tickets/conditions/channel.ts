import { sql } from 'kysely'

/** How a ticket began: a client wrote it (in the portal or through the API), by e-mail or by the open form; or staff did, for a client. */
export const channels = ['portal', 'email', 'form', 'staff'] as const

/** Within a query on `tickets`: the way by which its first message came. */
export const channelOf = sql<(typeof channels)[number]>`(
  select case
    when first_message.sender_type <> 'client' then 'staff'
    when exists (select from message_emails where message_emails.message_id = first_message.id) then 'email'
    when tickets.client_email is not null then 'form'
    else 'portal' end
  from (select) as nothing left join lateral (
    select ticket_messages.id, ticket_messages.sender_type from ticket_messages
    where ticket_messages.ticket_id = tickets.id order by ticket_messages.id limit 1) as first_message on true)`
