create or replace function forget_tickets_of_mails() returns trigger language plpgsql as $$
begin
  update outbox_messages set sealed_content = null
  from gone join mail_log on mail_log.ticket_id = gone.id
  where outbox_messages.id = mail_log.outbox_message_id and state <> 'queued';
  update mail_log set ticket_id = null, subject = '' from gone where mail_log.ticket_id = gone.id;
  return null;
end
$$;
