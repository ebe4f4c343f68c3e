import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** The mail log: a row for each e-mail in or out. It outlives the e-mail, its ticket and its people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_log (
      id bigint generated always as identity primary key,
      direction text not null check (direction in ('in', 'out')),
      at timestamptz not null,
      outcome text not null,
      -- Why, as a word of ours or, of an e-mail that went out, what a server said.
      reason text,
      -- The way in; the kind of an e-mail that goes out.
      via text,
      kind text,
      sender text,
      -- One address a line.
      recipients text default '' not null,
      subject text default '' not null,
      message_ref text,
      size_bytes bigint,
      authentication jsonb,
      verdict text generated always as (authentication ->> 'verdict') stored,
      ticket_id bigint,
      client_id bigint references clients on delete set null,
      mail_id bigint references inbound_mails on delete set null,
      outbox_message_id bigint,
      -- The e-mail that a bounce is about, and the e-mail that was sent again.
      about_id bigint references mail_log on delete set null,
      -- It carries a code or a link: nobody is shown its text.
      is_secret boolean default false not null,
      is_erased boolean default false not null,
      steps jsonb default '[]' not null,
      -- What is searched.
      words text generated always as (
        lower(coalesce(sender, '') || ' ' || recipients || ' ' || subject || ' ' || coalesce(message_ref, ''))
      ) stored,
      check (case direction
        when 'in' then outcome in ('received', 'ticket', 'reply', 'held', 'bounce', 'dropped', 'duplicate', 'refused')
        else outcome in ('queued', 'sent', 'delivered', 'deferred', 'bounced', 'refused') end)
    )`.execute(db)
  await sql`create index mail_log_outcome on mail_log (direction, outcome, id)`.execute(db)
  await sql`create index mail_log_ticket on mail_log (ticket_id, id) where ticket_id is not null`.execute(db)
  await sql`create index mail_log_client on mail_log (client_id) where client_id is not null`.execute(db)
  await sql`create index mail_log_mail on mail_log (mail_id) where mail_id is not null`.execute(db)
  await sql`create index mail_log_outbox_message on mail_log (outbox_message_id) where outbox_message_id is not null`.execute(
    db
  )
  await sql`create index mail_log_about on mail_log (about_id) where about_id is not null`.execute(db)
  await sql`create index mail_log_verdict on mail_log (verdict, id) where verdict is not null`.execute(db)
  await sql`create index mail_log_at on mail_log (at)`.execute(db)
  await sql`create index mail_log_words on mail_log using gin (words gin_trgm_ops)`.execute(db)
  // Rules about e-mails that arrive run before there is a ticket; their runs are kept for 30 days, as all are, and name the row of the log.
  await sql`alter table rule_runs alter column ticket_id drop not null`.execute(db)
  await sql`alter table rule_runs add column mail_log_id bigint`.execute(db)
  await createFunctions(db, ['forget_tickets_of_mails'])
  await sql`
    create trigger tickets_forget_mails
      after delete on tickets
      referencing old table as gone
      for each statement
      execute function forget_tickets_of_mails()`.execute(db)
}
