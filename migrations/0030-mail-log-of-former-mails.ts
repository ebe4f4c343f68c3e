import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'
export const inTransaction = false

/** Writes the log of the e-mails that there are, as far as their rows tell, in one statement: if it was done, it is not done again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into mail_log (direction, at, outcome, reason, via, kind, sender, recipients, subject, message_ref, size_bytes,
      authentication, ticket_id, client_id, mail_id, outbox_message_id, is_secret, steps)
    select * from (
      select 'in', received_at as at, state, reason, via, null as kind, coalesce(sender, nullif(envelope_sender, '')),
        coalesce(envelope_recipient, ''), coalesce(subject, ''), message_ref, size_bytes,
        authentication, ticket_id, client_id, id, null::bigint, false,
        jsonb_build_array(jsonb_build_object('step', 'received', 'at', received_at)) || case when settled_at is null then '[]'
          else jsonb_build_array(jsonb_build_object('step', state, 'at', settled_at, 'reason', reason)) end
      from inbound_mails as mail
      where not exists (select from mail_log where mail_log.mail_id = mail.id)
      union all
      select 'out', sent.created_at, case
          when bounced_at is not null or message.state = 'failed' then 'bounced' when delivered_at is not null then 'delivered'
          when message.state = 'queued' then case when delayed_at is null then 'queued' else 'deferred' end else 'sent' end,
        bounce_reason, null, sent.kind, null, sent.recipient,
        coalesce(case when is_of_ticket then tickets.subject end, ''), ref, null,
        null, sent.ticket_id, sent.client_id, null, message.id, not is_of_ticket,
        jsonb_build_array(jsonb_build_object('step', 'queued', 'at', sent.created_at))
      from sent_emails as sent
      cross join lateral (select sent.kind in ('client-ticket', 'follower-ticket', 'staff-ticket') as is_of_ticket) as about
      left join outbox_messages as message on message.id = sent.outbox_message_id
      left join tickets on tickets.id = sent.ticket_id
      where not exists (select from mail_log where mail_log.message_ref = sent.ref and mail_log.direction = 'out')
    ) as former order by at`.execute(db)
}
