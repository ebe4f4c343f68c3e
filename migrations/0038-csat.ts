import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Satisfaction: one row for each closing of a ticket, with the rating or the reason why nobody was asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table csat_surveys (
      id bigint generated always as identity primary key,
      ticket_id bigint not null references tickets on delete cascade,
      -- By its place in the log.
      closing_event_id bigint not null unique,
      closed_at timestamptz not null,
      -- When it is decided whether to ask; null: it was.
      due_at timestamptz,
      -- Of the token in the e-mail.
      token_digest text unique,
      sent_at timestamptz,
      voided_reason text check (voided_reason in
        ('reopened', 'trash', 'merged', 'disabled', 'department', 'no_reply', 'opted_out', 'unreachable', 'recent', 'rated')),
      rating text check (rating in ('good', 'bad')),
      comment varchar(2000),
      rated_at timestamptz,
      changed_at timestamptz,
      credited_staff_id bigint,
      check ((rating is null) = (rated_at is null)),
      check (sent_at is null or voided_reason is null)
    )`.execute(db)
  await sql`create index csat_surveys_ticket_index on csat_surveys (ticket_id, id)`.execute(db)
  await sql`create index csat_surveys_due_index on csat_surveys (due_at) where due_at is not null`.execute(db)
  await sql`create index csat_surveys_rated_index on csat_surveys (rated_at, id) where rating is not null`.execute(db)
  await sql`insert into event_readers (name, place) select 'csat', last_place from event_sequencer`.execute(db)
}
